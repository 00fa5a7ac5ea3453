import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { refusal } from '../../../host/refusal.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { RunFiles, stopSurvivor } from '../../runtime/processes/survivors.ts'
import { Gate } from './gate.ts'
import { failureOf, isLocked, notFound, type ResticEnd } from './restic-refusals.ts'
import {
  type ResticPlace,
  type RunOptions,
  type RunningRestic,
  runRestic,
  startRestic,
} from './restic-program.ts'

export const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** The same on every computer, so that restic finds the backup before. */
export const HOST = 'wheelhouse'

/** What a server's folder was saved as, and what made it a backup: its list, and copies of files that were in use. */
export interface StoredBackup {
  id: string
  main: Snapshot
  list: Snapshot
}

export interface Snapshot {
  snapshot: string
  /** As restic calls the folder that was saved. */
  at: string
}

export interface ListedSnapshot {
  id: string
  paths: string[]
  tags?: string[]
  time?: string
  /** What it was copied from, in another repository. */
  original?: string
}

/** Frees only what can be freed within minutes; the rest is left for the next time. */
const REPACK_MOST = '512M'
const PASSWORD_BYTES = 32
const SURVIVOR_MS = 5000
const UNFINISHED = /^[\da-f]{64}-tmp-\d+$/

/** The restic repository of one server. */
export class Repository {
  readonly place: ResticPlace & { runs: RunFiles | null }
  readonly #gate = new Gate()
  /** What restic needs a whole run to tell, so that reading a file takes one only. */
  #known = new Map<string, StoredBackup>()
  #prepared: Promise<void> | null = null

  constructor(place: ResticPlace) {
    this.place = { ...place, runs: null }
  }

  /** Of a remote one: it is asked. */
  get isThere(): boolean {
    return this.place.remote !== undefined || existsSync(path.join(this.place.repository, 'config'))
  }

  enter(alone: boolean, signal?: AbortSignal): Promise<() => void> {
    return this.#gate.enter(alone, signal)
  }

  /** What it takes on the disk: older versions of restic don't say what they added after packing. */
  async bytes(): Promise<number> {
    let bytes = 0
    for await (const { parentPath, name } of await opendir(this.place.repository, { recursive: true }))
      bytes += await lstat(path.join(parentPath, name)).then(
        (stat) => (stat.isFile() ? stat.size : 0),
        () => 0,
      )
    return bytes
  }

  /** A folder is complete before it has its name. Of a remote one: only where none is. */
  async create(signal: AbortSignal): Promise<void> {
    const { repository, passwordFile, remote } = this.place
    await this.#prepare()
    if (!remote && this.isThere) return
    const fresh = remote ? repository : `${repository}.new`
    if (!remote) {
      await removeTree(fresh)
      await mkdir(path.dirname(repository), { recursive: true, mode: 0o700 })
    }
    await makePassword(passwordFile, newPassword())
    const end = await runRestic({ ...this.place, repository: fresh }, ['init'], { signal })
    if (end.code !== 0) throw failureOf(end, this.place)
    if (!remote) await rename(fresh, repository)
  }

  /** Rejects with a Refusal if it fails; `accepts`: codes that are no failure. */
  async run(args: string[], options: RunOptions & { accepts?: readonly number[] }): Promise<ResticEnd> {
    await this.#require()
    let end = await runRestic(this.place, args, options)
    if (isLocked(end)) {
      // Only locks whose holder is gone are removed.
      await runRestic(this.place, ['unlock'], options)
      end = await runRestic(this.place, args, options)
    }
    if (end.code !== 0 && !options.accepts?.includes(end.code)) throw failureOf(end, this.place)
    return end
  }

  /** Without a lock of restic's: the gate keeps what is read from being removed. */
  async start(args: string[], options: Omit<RunOptions, 'line'>): Promise<RunningRestic> {
    await this.#require()
    return startRestic(this.place, ['--no-lock', ...args], options)
  }

  async saved(id: string, signal: AbortSignal): Promise<StoredBackup> {
    const found = this.#known.get(id) ?? (await this.all(signal)).get(id)
    if (!found) throw notFound()
    return found
  }

  async all(signal: AbortSignal): Promise<ReadonlyMap<string, StoredBackup>> {
    if (!this.isThere && !existsSync(this.place.passwordFile)) return new Map()
    this.#known = wholeOnes(await this.snapshots(signal))
    return this.#known
  }

  add(saved: StoredBackup): void {
    this.#known.set(saved.id, saved)
  }

  /** Lists first: without it, what it lists is a leftover. Then all leftovers, and the room they take. */
  async remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
    if (!this.isThere) return
    this.#known = new Map()
    const unwanted = new Set(ids)
    const listed = await this.snapshots(signal)
    const lists = listed.filter(({ tags }) => tags?.some((tag) => unwanted.has(tag)))
    if (lists.length > 0) await this.run(['forget', ...lists.map(({ id }) => id)], { signal })
    const gone = new Set(lists.map(({ id }) => id))
    const rest = listed.filter(({ id }) => !gone.has(id))
    const whole = wholeOnes(rest)
    const kept = new Set([...whole.values()].flatMap(({ main, list }) => [main.snapshot, list.snapshot]))
    const leftovers = rest.filter((one) => isOurs(one) && !kept.has(one.id)).map(({ id }) => id)
    if (leftovers.length > 0) await this.run(['forget', ...leftovers], { signal })
    this.#known = whole
    await this.prune({ signal })
  }

  /** Frees the room of what was forgotten. */
  async prune(options: RunOptions): Promise<void> {
    await this.run(['prune', '--max-repack-size', REPACK_MOST], options)
    if (!this.place.remote) await this.#removeUnfinished()
  }

  /** restic forgets what it was writing when it was killed. */
  async #removeUnfinished(): Promise<void> {
    for await (const { parentPath, name } of await opendir(this.place.repository, { recursive: true }))
      if (UNFINISHED.test(name)) await rm(path.join(parentPath, name), { force: true })
  }

  /** A killed service's restic goes on for a while, and holds its lock. */
  async #endSurvivors(runs: RunFiles): Promise<void> {
    for (const [name, leader] of await runs.survivors()) {
      await stopSurvivor(leader, SURVIVOR_MS)
      runs.remove(name)
    }
  }

  async snapshots(signal: AbortSignal): Promise<ListedSnapshot[]> {
    let listed: ListedSnapshot[] = []
    const line = (text: string) => {
      const value: unknown = parsedLine(text)
      if (Array.isArray(value)) listed = value.filter(isSnapshot)
    }
    await this.run(['snapshots', '--json', '--no-lock'], { signal, line })
    return listed
  }

  /** restic would wait for a password, or make a new repository beside the old one's data. */
  async #require(): Promise<void> {
    const { passwordFile } = this.place
    if (!this.isThere) throw refusal(409, 'backups.store-missing')
    if (!existsSync(passwordFile)) throw refusal(409, 'backups.password-missing', { file: passwordFile })
    await this.#prepare()
  }

  /** Nothing of this run is there yet: what is was left by a killed service. */
  #prepare(): Promise<void> {
    const { temporary } = this.place
    this.#prepared ??= (async () => {
      await mkdir(temporary, { recursive: true, mode: 0o700 })
      this.place.runs = new RunFiles(path.dirname(temporary))
      await this.#endSurvivors(this.place.runs)
      await removeTree(temporary)
      await mkdir(temporary, { recursive: true, mode: 0o700 })
    })().catch((error: unknown) => {
      this.#prepared = null
      throw error
    })
    return this.#prepared
  }
}

export function parsedLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isSnapshot(value: unknown): value is ListedSnapshot {
  const { id, paths, tags = [], time = '', original = '' } = (value ?? {}) as Record<string, unknown>
  const isTexts = (all: unknown) => Array.isArray(all) && all.every((one) => typeof one === 'string')
  return (
    typeof id === 'string' &&
    /^[\da-f]{64}$/.test(id) &&
    isTexts([time, original]) &&
    isTexts(paths) &&
    isTexts(tags)
  )
}

/** A list names what it lists by a tag; both have to be there. */
export function wholeOnes(listed: readonly ListedSnapshot[]): Map<string, StoredBackup> {
  const whole = new Map<string, StoredBackup>()
  for (const { id: snapshot, paths, tags = [] } of listed) {
    const id = tags.find((tag) => ID.test(tag))
    const ofMain = tags.find((tag) => tag.startsWith(LISTS))?.slice(LISTS.length)
    const main = ofMain ? listed.find((one) => (one.original ?? one.id).startsWith(ofMain)) : undefined
    if (id === undefined || !main) continue
    const list = { snapshot, at: snapshotPath(paths[0] ?? '') }
    whole.set(id, { id, list, main: { snapshot: main.id, at: snapshotPath(main.paths[0] ?? '') } })
  }
  return whole
}

/** Tags: of the server's folder, and before the start of its id, of the list. */
export const MAIN = 'files'
export const LISTS = 'lists-'

/** Somebody may keep their own beside them. */
const isOurs = ({ tags = [] }: ListedSnapshot): boolean =>
  tags.some((tag) => tag === MAIN || tag.startsWith(LISTS))

/** `C:\server` is `/C/server` in a snapshot. */
export const snapshotPath = (folder: string): string =>
  folder.replace(/^([A-Za-z]):/, '/$1').replaceAll(path.sep, '/')

export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

export async function makePassword(file: string, password: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    await using handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${password}\n`)
    await handle.sync()
  } catch (error) {
    // Of an earlier try to make the repository.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
