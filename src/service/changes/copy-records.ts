import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeKept } from '../../computer/kept-file.ts'
import { Installed } from '../software/installed.ts'

const Software = z.object({ id: z.string(), version: z.string() })

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
  /** Null where nobody has measured. */
  bytes: z.number().nullable(),
})
export type CopyRecord = z.infer<typeof CopyRecord>

/** What is being done in several steps: with it the next start finishes it, or takes it back. */
export const Journal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), copy: CopyRecord, to: Software }),
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
    const current = existsSync(path.join(this.folder, 'current.json'))
    // What cannot be read may name one of them.
    if (this.isOpen || (current && !this.current)) return []
    const named = [this.current?.id, 'current.json', 'journal.json']
    try {
      return readdirSync(this.folder).filter((name) => !named.includes(name))
    } catch {
      return []
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(path.join(this.folder, name), { recursive: true, force: true })
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
    writeKept(file, `${JSON.stringify(value)}\n`)
  }
}
