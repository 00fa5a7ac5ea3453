import { FailureReason } from '../../../../contract/declarations/errors.ts'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readDataFile, writeDataFile } from '../../../../host/data-file.ts'
import { inServer, staged, stagedIn, Step, trashed } from '../../../changes/steps.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Hashes, JarReading } from '../../../extensions/jars/facts.ts'

const MOST_BYTES = 32 * 1024 * 1024
const KNOWN_MOST = 5000

/** Written before steps named both ends. */
const FormerStep = z
  .object({
    ...{ kind: z.enum(['in', 'out', 'move', 'back']), mark: z.string(), size: z.number() },
    ...{ path: z.string().default(''), staged: z.string().default(''), trash: z.string().default('') },
    ...{ from: z.string().default(''), to: z.string().default('') },
  })
  .transform(({ kind, mark, size, ...at }): Step => {
    const ends = {
      in: { from: staged(at.staged), to: inServer(at.path) },
      out: { from: inServer(at.path), to: trashed(at.trash) },
      move: { from: inServer(at.from), to: inServer(at.to) },
      back: { from: trashed(at.trash), to: inServer(at.path) },
    }
    return { ...ends[kind], mark, size }
  })

const Items = z.array(
  z.object({
    name: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    did: z.enum(['added', 'replaced', 'removed', 'switched']).optional(),
  }),
)
export type Items = z.output<typeof Items>

/** Done or reverted as a whole. */
export const Change = z.object({
  id: z.string(),
  at: z.number(),
  items: Items,
  steps: z.array(z.union([Step, FormerStep])),
  undoes: z.array(z.string()).optional(),
  /** Only this item of what it undoes. */
  part: z.number().optional(),
})
export type Change = z.output<typeof Change>

const State = z.object({
  pinned: z.array(z.string()),
  /** Pending changes in order. The first may be half done. */
  waiting: z.array(Change),
  /** The first one failed and is being reverted. */
  goesBack: z.boolean(),
  last: Change.nullable(),
  /** Done, but not tried by a successful start yet; newest last. */
  untried: z.array(Change),
  /** Of the latest request. `items`: dropped pending items; `unfinished`: half done and not reverted yet. */
  error: FailureReason.extend({
    at: z.number(),
    items: Items.optional(),
    unfinished: z.boolean().optional(),
  }).nullable(),
  firstRun: z.enum(['none', 'begun', 'well', 'crashed']),
})
export type State = z.output<typeof State>

/** State written before several changes could be undone together. */
const KeptState = State.omit({ untried: true })
  .extend({ untried: z.array(Change).optional() })
  .transform((state): State => {
    const { last, firstRun, untried = last && firstRun !== 'well' ? [last] : [] } = state
    return { ...state, untried }
  })

export const Origin = z.object({
  project: z.string(),
  versionId: z.string(),
  version: z.string(),
  page: z.string().nullish(),
})
export type Origin = z.output<typeof Origin>

const KnownJar = JarReading.extend({
  hashes: Hashes.nullable(),
  /** Null: unknown to the catalogs, or not looked up yet. */
  origin: Origin.nullable(),
  update: z.object({ versionId: z.string(), version: z.string() }).nullable(),
})
export type KnownJar = z.output<typeof KnownJar>

export const UNREAD: KnownJar = { facts: null, why: 'not-opened', hashes: null, origin: null, update: null }

export const isRead = (known: KnownJar | undefined): boolean =>
  known !== undefined &&
  !known.facts?.some(({ java, fault }) => java === undefined || fault === undefined) &&
  !(known.broken && known.fault === undefined)
const KnownJars = z.array(z.tuple([z.string(), KnownJar]))

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
 * Staged files and state, beside the server's folder: on the same disk, so that files move in one step, and deleted
 * with the server.
 */
export class Workspace {
  readonly #files: Pick<ServerFiles, 'staging'>
  state: State = {
    ...{ pinned: [], waiting: [], goesBack: false, last: null, untried: [], error: null, firstRun: 'none' },
  }
  readonly known = new Map<string, KnownJar>()
  readonly preparing = new Set<string>()

  private constructor(files: Pick<ServerFiles, 'staging'>) {
    this.#files = files
  }

  get folder(): string {
    const { staging } = this.#files
    const folder = stagedIn(this.#files)
    if (!existsSync(folder) && existsSync(staging)) mkdirSync(folder, { mode: 0o700 })
    return folder
  }

  static async open(files: Pick<ServerFiles, 'staging'>): Promise<Workspace> {
    const opened = new Workspace(files)
    const isRead = await opened.#read()
    if (opened.state.firstRun === 'begun') opened.state = { ...opened.state, firstRun: 'well', untried: [] }
    for (const [mark, jar] of await knownIn(path.join(opened.folder, KNOWN))) opened.known.set(mark, jar)
    // Without a readable state, any staged file may be needed.
    if (isRead) opened.sweep()
    return opened
  }

  /** An unreadable state is set aside, so that the server can still start. */
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

  save(change: Partial<State>): void {
    const next = { ...this.state, ...change }
    writeDataFile(path.join(this.folder, STATE), `${JSON.stringify(next)}\n`)
    this.state = next
  }

  saveKnown(present: ReadonlySet<string>): void {
    if (this.known.size > KNOWN_MOST)
      for (const mark of [...this.known.keys()]) if (!present.has(mark)) this.known.delete(mark)
    try {
      writeDataFile(path.join(this.folder, KNOWN), JSON.stringify([...this.known]))
    } catch {
      // Only a cache: a full disk must not fail the request.
    }
  }

  staged(name: string): string {
    return path.join(this.folder, name)
  }

  sweep(): void {
    const wanted = new Set(
      this.state.waiting.flatMap(({ steps }) =>
        steps.flatMap(({ from }) => (from.folder === 'staged' ? from.path : [])),
      ),
    )
    for (const name of readdirSync(this.folder))
      if (name.endsWith('.jar') && !wanted.has(name) && !this.preparing.has(name))
        rmSync(this.staged(name), { force: true })
  }
}
