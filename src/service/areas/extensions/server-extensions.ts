import { isStopped } from '../../../contract/rules/power.ts'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Lanes } from '../../../contract/rules/lanes.ts'
import type { AgingClock } from '../../base/clock.ts'
import { doSteps, type StepContext, undoSteps } from '../../changes/steps.ts'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Trash } from '../../files/trash.ts'
import { Refusal } from '../../../host/refusal.ts'
import type { ServerJava } from '../../software/java/server-java.ts'
import type { Target } from '../../../extensions/catalogs/extension-catalog.ts'
import { afterChanges, type JarFile } from '../../../extensions/folder/jar-file.ts'
import { jarsIn } from './folder/jars-in.ts'
import type { JarReader } from '../../extensions/jars/jar-reader.ts'
import type { JarFolders } from '../../extensions/jars/jar-worker.ts'
import { type Loads, loadsOf, type ScannedJar } from '../../../extensions/folder/loads.ts'
import {
  type ExtensionJar,
  extensionsOf,
  type InstalledExtensions,
} from '../../../extensions/installed/extension-jar.ts'
import * as refusals from '../../../extensions/folder/refusals.ts'
import {
  changeOf,
  inverseOf,
  isPossible,
  mergedItems,
  toUndo,
  undoneItem,
  untriedAfter,
} from '../../../extensions/folder/undo.ts'
import type { Change, State } from '../../../extensions/folder/change.ts'
import { isRead, type KnownJar, UNREAD } from '../../../extensions/folder/known-jar.ts'
import { sharedId } from '../../../extensions/folder/ids.ts'
import { Workspace } from './folder/workspace.ts'

/** A crash within this many ms after coming online counts as a failed start. */
const START_MS = 5 * 60 * 1000

export interface ServerExtensionsPorts {
  files: ServerFiles
  target: Target
  reader: JarReader
  clock: AgingClock
  log: Logger
  isDown: () => boolean
  java: () => Promise<ServerJava | null>
}

export type MakeSteps = (jars: ReadonlyMap<string, JarFile>) => ChangeOutcome | Promise<ChangeOutcome>
type ChangeOutcome = Pick<Change, 'items' | 'steps' | 'undoes' | 'part'>

const WAITING_MOST = 50

/**
 * The extensions of one server. Each change is saved before any of it is done, so that it completes even if the
 * process is killed. While the server runs, it waits for the next start. Operations are serialized.
 */
export class ServerExtensions implements InstalledExtensions {
  readonly #ports: ServerExtensionsPorts
  readonly #context: StepContext & { trash: Trash }
  readonly work: Workspace
  readonly #turns = new Lanes({ perLane: 1 })
  #onlineAt: number | null = null

  private constructor(ports: ServerExtensionsPorts, work: Workspace) {
    this.#ports = ports
    this.work = work
    this.#context = { files: ports.files, trash: new Trash(ports.files, ports.clock) }
  }

  static async open(ports: ServerExtensionsPorts): Promise<ServerExtensions> {
    return new ServerExtensions(ports, await Workspace.open(ports.files))
  }

  get target(): Target {
    return this.#ports.target
  }

  get state(): State {
    return this.work.state
  }

  async list(): Promise<ExtensionJar[]> {
    const loads = loadsOf(this.target)
    if (!loads) return []
    const { pinned } = this.state
    const { java } = this.#ports
    return extensionsOf(await this.read(loads.folder), { target: this.target, loads, pinned, java })
  }

  /** Jars of a folder as they will be after pending changes. Throws file refusals. */
  async read(folder: Loads['folder']): Promise<ScannedJar[]> {
    const jars = [...(await this.#jars(folder)).values()].filter(({ path }) => path.startsWith(`${folder}/`))
    await this.#readInTurn(jars)
    return jars.map((jar) => ({ jar, known: this.work.known.get(jar.mark) ?? UNREAD }))
  }

  /** Throws 404 `extensions.not-found`. */
  async find(id: string): Promise<ExtensionJar> {
    const found = (await this.list()).find((one) => one.id === id)
    if (!found) throw refusals.notInstalled()
    return found
  }

  /** Pinned extensions are skipped when updating all. */
  pin(id: string, pinned: boolean): void {
    const others = this.state.pinned.filter((one) => one !== id && one !== sharedId(id))
    this.work.save({ pinned: pinned ? [...others, id] : others })
  }

  /**
   * Changes the folder, now or with the next start; nothing changes if it throws. Throws what `make` and `checkAgain`
   * throw, and file refusals.
   */
  commit(make: MakeSteps, checkAgain: () => void): Promise<Change> {
    return this.#turns
      .run('changes', async () => {
        const loads = loadsOf(this.target)
        if (!loads) throw refusals.notSupported()
        this.#carryOut()
        const made = await make(await this.#jars(loads.folder))
        const change = { ...made, id: randomUUID(), at: this.#ports.clock.now() }
        if (change.steps.length === 0) return change
        checkAgain()
        if (this.state.waiting.length >= WAITING_MOST) throw refusals.tooManyWait()
        this.work.save({ waiting: [...this.state.waiting, change], error: null })
        this.#carryOut()
        this.work.saveKnown(new Set([...(await this.#jars(loads.folder)).values()].map(({ mark }) => mark)))
        return change
      })
      .catch((error: unknown) => {
        throw diskFullRefusal(error) ?? asRefusal(error, '')
      })
  }

  /** `newest`: only the last of several changes. Throws 409 `extensions.nothing-to-undo`, `extensions.changed-since`. */
  undo(checkAgain: () => void, how: 'all' | 'newest' = 'all'): Promise<Change> {
    return this.commit(async (jars) => {
      const changes = toUndo(this.state).slice(how === 'newest' ? -1 : 0)
      if (changes.length === 0) throw refusals.nothingToUndo()
      const steps = this.#inverseOf(changes)
      if (!(await isPossible(steps, jars, this.state.waiting, this.#context.trash)))
        throw refusals.changedSince()
      const items = mergedItems(changes).map(undoneItem)
      return { steps, items, undoes: changes.map(({ id }) => id) }
    }, checkAgain)
  }

  /** Undoes what the newest change did with this jar's extension, alone. Throws as `undo` does. */
  undoJar(path: string, checkAgain: () => void): Promise<Change> {
    return this.commit(async (jars) => {
      const change = changeOf(this.state, path)
      if (!change) throw refusals.nothingToUndo()
      const steps = this.#inverseOf([change])
      if (!(await isPossible(steps, jars, [], this.#context.trash))) throw refusals.changedSince()
      const { id, part } = change
      return { steps, items: change.items.map(undoneItem), undoes: [id], ...(part !== undefined && { part }) }
    }, checkAgain)
  }

  /** The version that `undoJar` puts back; null if it can't, or there was none. */
  async versionBefore(path: string): Promise<string | null> {
    const change = changeOf(this.state, path)
    const [item] = change?.items ?? []
    if (!change || !item?.from || item.from === item.to) return null
    return (await this.isUndoable([change])) ? item.from : null
  }

  async isUndoable(changes: readonly Change[] = toUndo(this.state)): Promise<boolean> {
    const loads = loadsOf(this.target)
    if (!loads || changes.length === 0) return false
    const jars = await this.#jars(loads.folder)
    return isPossible(this.#inverseOf(changes), jars, this.state.waiting, this.#context.trash)
  }

  #inverseOf(changes: readonly Change[]) {
    const steps = changes.flatMap((change) => change.steps)
    return inverseOf(steps, this.newTrash())
  }

  newTrash(): () => string {
    const call = this.#context.trash.newCall()
    let number = 0
    return () => `${call}-${number++}`
  }

  /** Does pending changes unless the server runs. Throws if one could be neither done nor reverted. */
  carryOut(): Promise<void> {
    return this.#turns.run('changes', async () => this.#carryOut())
  }

  beforeStart(): Promise<void> {
    return this.#turns.run('changes', async () => {
      try {
        this.#carryOut(true)
      } catch (error) {
        if (this.state.waiting.length > 0) throw error
      }
      this.#onlineAt = null
      const { last, firstRun } = this.state
      if (last && ['none', 'crashed'].includes(firstRun)) this.work.save({ firstRun: 'begun' })
    })
  }

  heard(status: string): void {
    if (status === 'online') this.#onlineAt = this.#ports.clock.elapsed()
    if (this.state.firstRun !== 'begun' || !isStopped(status)) return
    const ran = this.#onlineAt === null ? 0 : this.#ports.clock.elapsed() - this.#onlineAt
    const isCrash = status === 'crashed' && ran < START_MS
    this.work.save(isCrash ? { firstRun: 'crashed' } : { firstRun: 'well', untried: [] })
  }

  /** Records a failure; kept in memory even if it cannot be saved, as on a full disk. */
  failed(refused: Refusal, items: Change['items'] = []): void {
    const at = this.#ports.clock.now()
    const error = { at, ...refused.asTold, items, unfinished: this.state.goesBack }
    this.work.state = { ...this.state, error }
    this.work.save({})
  }

  async hash(installed: readonly ExtensionJar[], signal: AbortSignal): Promise<void> {
    let isNew = false
    for (const { jar, known } of installed) {
      if (known.hashes || !jar.isFile) continue
      signal.throwIfAborted()
      const hashes = await this.#ports.reader.hashes(...this.#placeOf(jar))
      if (hashes) this.know(jar.mark, { hashes })
      isNew = true
    }
    if (isNew) this.work.saveKnown(new Set(installed.map(({ jar }) => jar.mark)))
  }

  readStaged(name: string) {
    return this.#ports.reader.read({ ...foldersOf(this.#ports.files), root: this.work.folder }, name)
  }

  sweep(): Promise<void> {
    return this.#turns.run('changes', async () => this.work.sweep())
  }

  saveKnown(present: ReadonlySet<string>): void {
    this.work.saveKnown(present)
  }

  know(mark: string, more: Partial<KnownJar>): void {
    this.work.known.set(mark, { ...(this.work.known.get(mark) ?? UNREAD), ...more })
  }

  #carryOut(starting = false): void {
    const { log } = this.#ports
    if (this.state.waiting.length === 0) return
    while (this.state.waiting.length > 0 && (starting || this.#ports.isDown())) {
      const change = this.state.waiting[0]!
      if (this.state.goesBack) undoSteps(this.#context, change.steps)
      if (this.state.goesBack) this.#dropWaiting()
      else this.#carryOutOne(change)
    }
    this.work.sweep()
    const { trash } = this.#context
    trash.sweep().catch((error: unknown) => log.warn({ err: error }, 'the trash was not swept'))
  }

  #carryOutOne(change: Change): void {
    const { log, files } = this.#ports
    const { steps } = change
    try {
      doSteps(this.#context, steps, () => {
        const untried = untriedAfter(this.state, change)
        this.work.save({ waiting: this.state.waiting.slice(1), last: change, firstRun: 'none', untried })
      })
      for (const { from, size } of steps) if (from.folder === 'staged') files.space.add(size)
    } catch (error) {
      log.warn({ err: error, serverId: files.serverId }, 'extensions could not be changed')
      const isHalfDone = error instanceof AggregateError
      const why: unknown = isHalfDone ? error.errors[0] : error
      const told = diskFullRefusal(why) ?? asRefusal(why, '')
      const items = mergedItems(this.state.waiting)
      try {
        if (isHalfDone) this.work.save({ goesBack: true })
        else this.#dropWaiting()
      } finally {
        if (told instanceof Refusal) this.failed(told, items)
      }
      throw told
    }
  }

  /** Later pending changes build on the one that was reverted. */
  #dropWaiting(): void {
    const { error } = this.state
    this.work.save({ waiting: [], goesBack: false, error: error && { ...error, unfinished: false } })
    this.work.sweep()
  }

  async #jars(folder: string): Promise<Map<string, JarFile>> {
    return afterChanges(await jarsIn(this.#ports.files, folder), this.state.waiting)
  }

  /** Serialized, so that parallel callers reuse the first reading. */
  #readInTurn(jars: readonly JarFile[]): Promise<void> {
    return this.#turns.run('readings', () => this.#readAll(jars))
  }

  async #readAll(jars: readonly JarFile[]): Promise<void> {
    let isNew = false
    await Promise.all(
      jars.map(async (jar) => {
        if (!jar.isFile || isRead(this.work.known.get(jar.mark))) return
        const read = await this.#ports.reader.read(...this.#placeOf(jar))
        if (read === undefined) return
        this.know(jar.mark, read)
        isNew = true
      }),
    )
    if (isNew) this.work.saveKnown(new Set(jars.map(({ mark }) => mark)))
  }

  #placeOf(jar: JarFile): [JarFolders, string] {
    const { files } = this.#ports
    return jar.staged === null
      ? [files, jar.path]
      : [{ ...foldersOf(files), root: this.work.folder }, jar.staged]
  }
}

const foldersOf = ({ serverId, root, staging, trash }: ServerFiles) => ({ serverId, root, staging, trash })
