import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../host/data-file.ts'
import { removeTree } from '../files/safe-fs/remove-tree.ts'
import { PackRecord, WantedPack } from './pack-record.ts'
import { Step } from '../../extensions/folder/step.ts'
import { InstallationRecord, readRecord } from '../software/installed.ts'
import type { TrialRecord } from '../store/backups.ts'
import { changedMeanwhile } from './change-words.ts'

const Software = z.object({ id: z.string(), version: z.string() })
const PackId = PackRecord.shape.id

export const CopyRecord = z.object({
  id: z.string().regex(/^copy-[\da-f-]{36}$/),
  /** Unix ms. */
  at: z.number(),
  /** What the copy was made for. `undo`: the state before something was undone. */
  reason: z.enum(['change', 'reset', 'undo']),
  /** Only the server's owner may restore it: that would revert a reset. */
  isOwners: z.boolean(),
  software: Software,
  installed: InstallationRecord.nullable(),
  pack: PackId.nullish(),
  bytes: z.number().nullable(),
  /** The change was to install a modpack. */
  isPack: z.boolean().optional(),
  name: z.string().nullish(),
  /** Never pushed out by newer ones. */
  locked: z.boolean().optional(),
  tried: z.custom<TrialRecord>().nullish(),
})
export type CopyRecord = z.infer<typeof CopyRecord>

/** An unfinished operation; the next start completes it or rolls it back. */
export const Journal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change'),
    copy: CopyRecord,
    to: Software,
    /** `remove`: paths of files to delete. */
    pack: z.object({ id: PackId, remove: z.array(z.string()) }).optional(),
    moves: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  }),
  z.object({
    kind: z.literal('undo'),
    copy: CopyRecord,
    aside: CopyRecord,
    steps: z.array(Step).optional(),
    /** By earlier versions, instead of steps. `in`: what was there is out already. */
    phase: z.enum(['out', 'in']).optional(),
  }),
  z.object({
    kind: z.literal('reset'),
    copy: CopyRecord,
    remove: z.array(z.string()),
    /** Missing if an earlier version wrote it. */
    steps: z.array(Step).optional(),
  }),
  /** Some files and folders take the place of what is there. */
  z.object({ kind: z.literal('parts'), steps: z.array(Step) }),
])
export type Journal = z.infer<typeof Journal>

const KEPT = ['current.json', 'journal.json', 'pack.json', 'wanted-pack.json']
/** Earlier versions kept one copy, and not in a list. */
const Copies = z.union([z.array(CopyRecord), CopyRecord.transform((copy) => [copy])])
const COPIES_MOST = 3

/** `current.json` lists the copies that count. */
export class CopyRecords {
  readonly folder: string

  /** @param folder for this server only, on the same disk as the server's folder */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Newest first. */
  get list(): readonly CopyRecord[] {
    return this.#read('current.json', Copies) ?? []
  }

  set list(copies: readonly CopyRecord[]) {
    this.#write('current.json', copies.length > 0 ? copies : null)
  }

  /** The oldest goes. `instead`: a copy that is used up. */
  add(copy: CopyRecord, instead?: CopyRecord): void {
    let unlocked = 0
    this.list = [copy, ...this.list.filter(({ id }) => id !== copy.id && id !== instead?.id)].filter(
      ({ locked }) => locked || ++unlocked <= COPIES_MOST,
    )
  }

  change(id: string, change: Pick<CopyRecord, 'name' | 'locked' | 'tried'>): void {
    this.list = this.list.map((copy) => (copy.id === id ? { ...copy, ...change } : copy))
  }

  get journal(): Journal | null {
    return this.#read('journal.json', Journal)
  }

  set journal(journal: Journal | null) {
    this.#write('journal.json', journal)
  }

  get packId(): string | null {
    return this.#read('pack.json', z.object({ id: PackId }))?.id ?? null
  }

  set packId(id: string | null) {
    this.#write('pack.json', id === null ? null : { id })
  }

  /** Null if there is none or its record can't be read. */
  get pack(): PackRecord | null {
    const { packId } = this
    return packId === null ? null : this.#read(`${packId}.json`, PackRecord)
  }

  addPack(record: PackRecord): void {
    this.#write(`${record.id}.json`, record)
  }

  /** The modpack the server was created from, until it is installed. */
  get wantedPack(): WantedPack | null {
    return this.#read('wanted-pack.json', WantedPack)
  }

  set wantedPack(wanted: WantedPack | null) {
    this.#write('wanted-pack.json', wanted)
  }

  at({ id }: Pick<CopyRecord, 'id'>): string {
    return path.join(this.folder, id)
  }

  get isOpen(): boolean {
    return existsSync(path.join(this.folder, 'journal.json'))
  }

  /** Names in the folder that nothing refers to. Empty while an operation is open: both halves of it may be here. */
  leftovers(): string[] {
    const isThere = (name: string) => existsSync(path.join(this.folder, name))
    // An unreadable file may refer to one of them.
    const { list, packId } = this
    if (this.isOpen || (isThere('current.json') && list.length === 0)) return []
    if (isThere('pack.json') && packId === null) return []
    const packs = [packId, ...list.map(({ pack }) => pack)].map((id) => `${id ?? ''}.json`)
    const named = [...list.map(({ id }) => id), ...packs, ...KEPT]
    try {
      return readdirSync(this.folder).filter((name) => !named.includes(name))
    } catch {
      return []
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await removeTree(path.join(this.folder, name))
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | null {
    return readRecord(path.join(this.folder, name), schema)
  }

  #write(name: string, value: object | null): void {
    const file = path.join(this.folder, name)
    if (value === null) return rmSync(file, { force: true })
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    writeDataFile(file, `${JSON.stringify(value)}\n`)
  }
}

/** The returned function throws 409 `server.changed` if the server no longer wants the pack. */
export function notesPackOf(
  from: CopyRecords,
  copiesOf: (serverId: string) => CopyRecords,
): (to: string) => void {
  const { pack, wantedPack } = from
  return (to) => {
    const copies = copiesOf(to)
    if (pack) copies.addPack(pack)
    if (pack) copies.packId = pack.id
    if (!wantedPack) return
    if (from.wantedPack?.sent?.importId !== wantedPack.sent?.importId) throw changedMeanwhile()
    copies.wantedPack = wantedPack
  }
}
