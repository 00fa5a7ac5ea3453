import { WhyFailed } from '../../../../contract/declarations/errors.ts'
import type { Stats } from 'node:fs'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readDataFile, writeDataFile } from '../../../../host/data-file.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Hashes, JarReading } from '../../../extensions/jars/facts.ts'

/** Files of ours are larger than this only where something is wrong, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024
/** Jars that are remembered of one server. */
const KNOWN_MOST = 5000

/** One step of a change. `mark` says which file it is about, `size` how many bytes that has. */
export const Step = z.discriminatedUnion('kind', [
  /** A file that is prepared gets its place. */
  z.object({
    kind: z.literal('in'),
    staged: z.string(),
    path: z.string(),
    mark: z.string(),
    size: z.number(),
  }),
  /** A file goes to the trash. */
  z.object({
    kind: z.literal('out'),
    path: z.string(),
    trash: z.string(),
    mark: z.string(),
    size: z.number(),
  }),
  z.object({ kind: z.literal('move'), from: z.string(), to: z.string(), mark: z.string(), size: z.number() }),
  /** A file comes back from the trash. */
  z.object({
    kind: z.literal('back'),
    path: z.string(),
    trash: z.string(),
    mark: z.string(),
    size: z.number(),
  }),
])
export type Step = z.output<typeof Step>

const Items = z.array(
  z.object({
    name: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    /** Where the versions do not tell it: `didOf`. */
    did: z.enum(['added', 'replaced', 'removed', 'switched']).optional(),
  }),
)
export type Items = z.output<typeof Items>

/** Something that is done as a whole. */
export const Change = z.object({
  id: z.string(),
  /** In ms since 1970. */
  at: z.number(),
  items: Items,
  steps: z.array(Step),
  /** Ids of those that it takes back. */
  undoes: z.array(z.string()).optional(),
})
export type Change = z.output<typeof Change>

/** What is remembered of a server's extensions beside the jars themselves. */
const State = z.object({
  pinned: z.array(z.string()),
  /** What has to be done yet, in this order. Of the first one a part may be done. */
  waiting: z.array(Change),
  /** The first of them could not be done, and is being taken back. */
  goesBack: z.boolean(),
  /** The newest that is done. */
  last: Change.nullable(),
  /** What is done and no start has tried yet, or that crashed; the newest is last. */
  untried: z.array(Change),
  /** Why what was asked for last was not done. */
  error: WhyFailed.extend({
    at: z.number(),
    /** What of earlier requests was not done, where those waited. */
    items: Items.optional(),
    /** A part of it is done, and could not be taken back yet. */
    unfinished: z.boolean().optional(),
  }).nullable(),
  /** How the first start since the last change went. */
  firstRun: z.enum(['none', 'begun', 'well', 'crashed']),
})
export type State = z.output<typeof State>

/** One that was written before several changes were undone together. */
const KeptState = State.omit({ untried: true })
  .extend({ untried: z.array(Change).optional() })
  .transform((state): State => {
    const { last, firstRun, untried = last && firstRun !== 'well' ? [last] : [] } = state
    return { ...state, untried }
  })

/** Where an extension comes from. */
export const Origin = z.object({
  project: z.string(),
  versionId: z.string(),
  /** The version as people read it. */
  version: z.string(),
  /** Where people read about the project. */
  page: z.string().nullish(),
})
export type Origin = z.output<typeof Origin>

const KnownJar = JarReading.extend({
  hashes: Hashes.nullable(),
  /** Null: no catalog knows it, or none was asked yet. */
  origin: Origin.nullable(),
  update: z.object({ versionId: z.string(), version: z.string() }).nullable(),
})
/** What is known of a jar by its mark, so that it need not be read again. */
export type KnownJar = z.output<typeof KnownJar>
const KnownJars = z.array(z.tuple([z.string(), KnownJar]))

/** What tells one file from another, wherever it is moved to. */
export const markOf = ({ ino, size, mtimeMs }: Pick<Stats, 'ino' | 'size' | 'mtimeMs'>): string =>
  `${ino}.${size}.${Math.round(mtimeMs * 1000)}`

/** What cannot be read is read anew from the jars. */
async function knownIn(file: string): Promise<[string, KnownJar][]> {
  try {
    return KnownJars.parse(JSON.parse((await readDataFile(file, MOST_BYTES)) ?? '[]'))
  } catch {
    return []
  }
}

const STATE = 'state.json'
const KNOWN = 'known.json'

/**
 * The folder of this area beside a server's own: what is prepared, and what is remembered. It lies on the same disk, so that
 * a file gets its place in one step, and goes with the server.
 */
export class Workspace {
  readonly #files: Pick<ServerFiles, 'staging'>
  state: State = {
    ...{ pinned: [], waiting: [], goesBack: false, last: null, untried: [], error: null, firstRun: 'none' },
  }
  readonly known = new Map<string, KnownJar>()
  /** What is being prepared for a change that is not written down yet. */
  readonly preparing = new Set<string>()

  private constructor(files: Pick<ServerFiles, 'staging'>) {
    this.#files = files
  }

  /** Made anew where somebody has cleared it away. */
  get folder(): string {
    const { staging } = this.#files
    const folder = path.join(staging, 'extensions')
    if (!existsSync(folder) && existsSync(staging)) mkdirSync(folder, { mode: 0o700 })
    return folder
  }

  /** What a killed process left prepared for nothing goes now. */
  static async open(files: Pick<ServerFiles, 'staging'>): Promise<Workspace> {
    const opened = new Workspace(files)
    const isRead = await opened.#read()
    if (opened.state.firstRun === 'begun') opened.state = { ...opened.state, firstRun: 'well', untried: [] }
    for (const [mark, jar] of await knownIn(path.join(opened.folder, KNOWN))) opened.known.set(mark, jar)
    // Where nobody can tell what is wanted, nothing of it goes.
    if (isRead) opened.sweep()
    return opened
  }

  /** Reads the state. One that cannot be read is set aside: the server can be started all the same. */
  async #read(): Promise<boolean> {
    const file = path.join(this.folder, STATE)
    try {
      const text = await readDataFile(file, MOST_BYTES)
      if (text !== null) this.state = KeptState.parse(JSON.parse(text))
      return true
    } catch {
      renameSync(file, `${file}.unreadable`)
      return false
    }
  }

  /** Writes a part of the state anew, in one step. */
  save(change: Partial<State>): void {
    const next = { ...this.state, ...change }
    writeDataFile(path.join(this.folder, STATE), `${JSON.stringify(next)}\n`)
    this.state = next
  }

  /** Keeps what is known of jars; those that are not there any more are left out where they become too many. */
  saveKnown(present: ReadonlySet<string>): void {
    if (this.known.size > KNOWN_MOST)
      for (const mark of [...this.known.keys()]) if (!present.has(mark)) this.known.delete(mark)
    try {
      writeDataFile(path.join(this.folder, KNOWN), JSON.stringify([...this.known]))
    } catch {
      // It is read anew from the jars. On a full disk what is asked for must not fail by it.
    }
  }

  /** Path of something prepared. */
  staged(name: string): string {
    return path.join(this.folder, name)
  }

  /** Removes what is prepared for nothing. */
  sweep(): void {
    const wanted = new Set(
      this.state.waiting.flatMap(({ steps }) =>
        steps.flatMap((step) => (step.kind === 'in' ? step.staged : [])),
      ),
    )
    for (const name of readdirSync(this.folder))
      if (name.endsWith('.jar') && !wanted.has(name) && !this.preparing.has(name))
        rmSync(this.staged(name), { force: true })
  }
}
