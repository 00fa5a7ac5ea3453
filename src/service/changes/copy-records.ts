import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../host/data-file.ts'
import { removeTree } from '../files/safe-fs/remove-tree.ts'
import { PackRecord, WantedPack } from './pack-record.ts'
import { Installed } from '../software/installed.ts'

const Software = z.object({ id: z.string(), version: z.string() })
const PackId = PackRecord.shape.id

/** A copy of a server as it was. */
export const CopyRecord = z.object({
  /** Name of its folder. */
  id: z.string().regex(/^copy-[\da-f-]{36}$/),
  /** When, in milliseconds since 1970. */
  at: z.number(),
  /** What it was made before. `undo`: it is what there was before something was undone. */
  reason: z.enum(['change', 'reset', 'undo']),
  /** Whether only the server's owner may use it: there is a reset on the way back. */
  isOwners: z.boolean(),
  software: Software,
  installed: Installed.nullable(),
  /** Which modpack was installed; null: none. */
  pack: PackId.nullish(),
  /** Null where nobody has measured. */
  bytes: z.number().nullable(),
})
export type CopyRecord = z.infer<typeof CopyRecord>

/** What is being done in several steps: with it the next start finishes it, or takes it back. */
export const Journal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change'),
    copy: CopyRecord,
    to: Software,
    /** The modpack that comes with it, and paths of files that go. */
    pack: z.object({ id: PackId, remove: z.array(z.string()) }).optional(),
    /** Folders of the world that lie elsewhere with it. */
    moves: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  }),
  z.object({
    kind: z.literal('undo'),
    copy: CopyRecord,
    /** What there is now becomes the copy. */
    aside: CopyRecord,
    /** Names that stay where they are. */
    left: z.array(z.string()),
    /** `out`: what is there goes; `in`: what was there comes. */
    phase: z.enum(['out', 'in']),
  }),
  z.object({ kind: z.literal('reset'), copy: CopyRecord, remove: z.array(z.string()) }),
])
export type Journal = z.infer<typeof Journal>

/** Names that are no copies. */
const KEPT = ['current.json', 'journal.json', 'pack.json', 'wanted-pack.json']

/** What is known of the copies of one server. One file says which one counts; whatever else lies there counts nothing. */
export class CopyRecords {
  readonly folder: string

  /** @param folder of this server alone, on the disk of its own folder */
  constructor(folder: string) {
    this.folder = folder
  }

  /** The copy that leads back; null where there is none. */
  get current(): CopyRecord | null {
    return this.#read('current.json', CopyRecord)
  }

  set current(copy: CopyRecord | null) {
    this.#write('current.json', copy)
  }

  get journal(): Journal | null {
    return this.#read('journal.json', Journal)
  }

  set journal(journal: Journal | null) {
    this.#write('journal.json', journal)
  }

  /** The record of the modpack that is installed, by its name; null where there is none. */
  get packId(): string | null {
    return this.#read('pack.json', z.object({ id: PackId }))?.id ?? null
  }

  set packId(id: string | null) {
    this.#write('pack.json', id === null ? null : { id })
  }

  /** What the installed modpack brought; null where there is none, or nobody can tell any more. */
  get pack(): PackRecord | null {
    const { packId } = this
    return packId === null ? null : this.#read(`${packId}.json`, PackRecord)
  }

  /** Keeps what a modpack brings; it counts from the moment that its name is `packId`. */
  addPack(record: PackRecord): void {
    this.#write(`${record.id}.json`, record)
  }

  /** The modpack that the server was created from, as long as it is not installed. */
  get wantedPack(): WantedPack | null {
    return this.#read('wanted-pack.json', WantedPack)
  }

  set wantedPack(wanted: WantedPack | null) {
    this.#write('wanted-pack.json', wanted)
  }

  /** Where the files of a copy lie. */
  at({ id }: Pick<CopyRecord, 'id'>): string {
    return path.join(this.folder, id)
  }

  /** Whether something was begun that is neither done nor taken back. */
  get isOpen(): boolean {
    return existsSync(path.join(this.folder, 'journal.json'))
  }

  /** Names in the folder that count nothing. None while something is open: both halves of it may lie here. */
  leftovers(): string[] {
    const isThere = (name: string) => existsSync(path.join(this.folder, name))
    // What cannot be read may name one of them.
    if (this.isOpen || (isThere('current.json') && !this.current)) return []
    if (isThere('pack.json') && this.packId === null) return []
    const { current, packId } = this
    const packs = [packId, current?.pack].map((id) => `${id ?? ''}.json`)
    const named = [current?.id, ...packs, ...KEPT]
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
    try {
      return schema.parse(JSON.parse(readFileSync(path.join(this.folder, name), 'utf8')))
    } catch {
      return null
    }
  }

  #write(name: string, value: object | null): void {
    const file = path.join(this.folder, name)
    if (value === null) return rmSync(file, { force: true })
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    writeDataFile(file, `${JSON.stringify(value)}\n`)
  }
}
