import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { FailureReason } from '../../contract/declarations/errors.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { Change, Items } from '../../extensions/folder/change.ts'
import { KnownJar } from '../../extensions/folder/known-jar.ts'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'

const BYTES_MOST = 32 * 1024 * 1024
const KNOWN_MOST = 5000

/** `isPartial`: not all jars inside it were read. */
const RemoteJar = KnownJar.extend({ isPartial: z.boolean().optional() })
export type RemoteJar = z.output<typeof RemoteJar>

const State = z.object({
  pinned: z.array(z.string()),
  last: Change.nullable(),
  /** Begun, and not known to be done. */
  pending: Change.nullable(),
  /** Of the latest request. */
  error: FailureReason.extend({ at: z.number(), items: Items.optional() }).nullable(),
  /** Changed while the server ran, whose log began like this. */
  fresh: z.object({ log: z.string(), paths: z.array(z.string()) }).nullable(),
})
type State = z.output<typeof State>

const Kept = State.extend({ known: z.array(z.tuple([z.string(), RemoteJar])) })

/** What is known here of the extensions of one server at a host. */
export class ServerRecord {
  readonly #file: string
  state: State
  readonly known: Map<string, RemoteJar>
  /** Changes one at a time; readings, too. */
  readonly turns = new Lanes({ perLane: 1 })

  private constructor(file: string, { known, ...state }: z.output<typeof Kept>) {
    this.#file = file
    this.state = state
    this.known = new Map(known)
  }

  /** One that can't be read is begun anew: jars are read again then, and the last change can't be undone. */
  static async open(folder: string, serverId: string): Promise<ServerRecord> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = createHash('sha256').update(serverId).digest('hex').slice(0, 32)
    const file = path.join(folder, `${name}.json`)
    const kept = await readDataJson(file, (value) => Kept.parse(value), BYTES_MOST)
    const none: z.output<typeof Kept> = {
      pinned: [],
      last: null,
      pending: null,
      error: null,
      fresh: null,
      known: [],
    }
    return new ServerRecord(file, kept ?? none)
  }

  save(change: Partial<State>): void {
    const next = { ...this.state, ...change }
    writeDataFile(this.#file, JSON.stringify({ ...next, known: [...this.known] }))
    this.state = next
  }

  /** `present`: marks of jars that are there. */
  saveKnown(present: ReadonlySet<string>): void {
    if (this.known.size > KNOWN_MOST)
      for (const mark of [...this.known.keys()]) if (!present.has(mark)) this.known.delete(mark)
    try {
      this.save({})
    } catch {
      // Only a cache: a full disk must not fail the request.
    }
  }
}
