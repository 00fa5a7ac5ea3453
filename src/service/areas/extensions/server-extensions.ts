import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AgeingClock } from '../../base/clock.ts'
import { diskFullRefusal } from '../../base/disk-full.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Trash } from '../../files/trash.ts'
import { Refusal } from '../../base/refusal.ts'
import type { ServerJava } from '../../software/java/server-java.ts'
import type { Target } from '../../extensions/catalogs/extension-catalog.ts'
import { asLoaded, type ReadJar } from './folder/as-loaded.ts'
import { afterChanges, fileNameOf, jarsIn, type JarFile } from './folder/folder-view.ts'
import { idsOf, sharedId } from './folder/ids.ts'
import type { Facts } from '../../extensions/jars/facts.ts'
import type { JarReader } from '../../extensions/jars/jar-reader.ts'
import type { JarFolders } from '../../extensions/jars/jar-worker.ts'
import { type Loads, loadsOf } from './folder/loads.ts'
import { asksForJava } from './problems/java-problem.ts'
import { problemsOf } from './problems/problems.ts'
import * as refusals from './folder/refusals.ts'
import { doStep, takeBack, tidy, type Bench } from './folder/steps.ts'
import { inverseOf, isPossible, mergedItems, toUndo, undoneItem, untriedAfter } from './folder/undo.ts'
import { Workspace, type Change, type KnownJar, type State } from './folder/workspace.ts'

/** A crash within this time after the server came online is one of its start, in milliseconds. */
const START_MS = 5 * 60 * 1000

/** An extension that is installed, or will be with the next start. */
export interface Installed {
  id: string
  jar: JarFile
  enabled: boolean
  pinned: boolean
  /** What it is to this server's software, or at all; null where nothing describes it. */
  facts: Facts | null
  known: KnownJar
  problems: ReturnType<typeof problemsOf>[number]
}

export interface ServerExtensionsPorts {
  files: ServerFiles
  target: Target
  reader: JarReader
  clock: AgeingClock
  log: Logger
  isDown: () => boolean
  /** The Java that the server is started with; null where that is not known. */
  java: () => Promise<ServerJava | null>
}

/** What is made of the folder as it is now: how it is to be changed. */
export type MakeSteps = (jars: ReadonlyMap<string, JarFile>) => Made | Promise<Made>
type Made = Pick<Change, 'items' | 'steps' | 'undoes'>

/** Changes that wait for a server to be stopped. */
const WAITING_MOST = 50

/**
 * The extensions of one server. Each change is written down as a whole before anything of it is done, so that it is done as a
 * whole, whenever the process ends; while the server runs it waits for the next start. One thing after another.
 */
export class ServerExtensions {
  readonly #ports: ServerExtensionsPorts
  readonly #bench: Bench
  readonly work: Workspace
  #turn: Promise<unknown> = Promise.resolve()
  #onlineAt: number | null = null

  #reading: Promise<void> = Promise.resolve()

  private constructor(ports: ServerExtensionsPorts, work: Workspace) {
    this.#ports = ports
    this.work = work
    this.#bench = { files: ports.files, trash: new Trash(ports.files, ports.clock), work }
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

  /** What is installed, in the order of names. Throws the refusals of files. */
  async list(): Promise<Installed[]> {
    const loads = loadsOf(this.target)
    if (!loads) return []
    const judged = (await this.read(loads.folder)).map((one) => asLoaded(one, loads))
    const java = judged.some(({ facts }) => asksForJava(facts)) ? await this.#ports.java() : null
    const problems = problemsOf(judged, this.target, java)
    const ids = idsOf(judged, loads.kind)
    const { pinned } = this.state
    return judged
      .map(({ jar, known, facts, enabled }, at) => {
        const id = ids[at]!
        const isPinned = pinned.includes(id) || pinned.includes(sharedId(id))
        return { id, jar, known, facts, enabled, pinned: isPinned, problems: problems[at]! }
      })
      .sort(byName)
  }

  /** The jars of a folder, with what each says of itself, once what waits is done. Throws the refusals of files. */
  async read(folder: Loads['folder']): Promise<ReadJar[]> {
    const jars = [...(await this.#jars(folder)).values()].filter(({ path }) => path.startsWith(`${folder}/`))
    await this.#readInTurn(jars)
    return jars.map((jar) => ({ jar, known: this.work.known.get(jar.mark) ?? UNREAD }))
  }

  /** Throws 404 `extensions.not-found`. */
  async find(id: string): Promise<Installed> {
    const found = (await this.list()).find((one) => one.id === id)
    if (!found) throw refusals.notInstalled()
    return found
  }

  /** Keeps an extension at its version when all are updated, or no longer does. */
  pin(id: string, pinned: boolean): void {
    const others = this.state.pinned.filter((one) => one !== id && one !== sharedId(id))
    this.work.save({ pinned: pinned ? [...others, id] : others })
  }

  /**
   * Changes the folder, now or with the server's next start. Throws what `make` and `checkAgain` throw, and the refusals of
   * files: then nothing is changed. Resolves where it is done, or waits.
   */
  commit(make: MakeSteps, checkAgain: () => void): Promise<Change> {
    return this.#inTurn(async () => {
      const loads = loadsOf(this.target)
      if (!loads) throw refusals.notSupported()
      // What could not be done or taken back before comes first.
      await this.#carryOut()
      const made = await make(await this.#jars(loads.folder))
      const change = { ...made, id: randomUUID(), at: this.#ports.clock.now() }
      if (change.steps.length === 0) return change
      checkAgain()
      if (this.state.waiting.length >= WAITING_MOST) throw refusals.tooManyWait()
      this.work.save({ waiting: [...this.state.waiting, change], error: null })
      await this.#carryOut()
      this.work.saveKnown(new Set([...(await this.#jars(loads.folder)).values()].map(({ mark }) => mark)))
      return change
    }).catch((error: unknown) => {
      throw diskFullRefusal(error) ?? asRefusal(error, '')
    })
  }

  /** Brings back what was there before what one undo takes back. Throws 409 `extensions.nothing-to-undo`, `extensions.changed-since`. */
  undo(checkAgain: () => void): Promise<Change> {
    return this.commit(async (jars) => {
      const changes = toUndo(this.state)
      if (changes.length === 0) throw refusals.nothingToUndo()
      const steps = this.#inverseOf(changes)
      if (!(await isPossible(steps, jars, this.state.waiting, this.#bench.trash)))
        throw refusals.changedSince()
      const items = mergedItems(changes).map(undoneItem)
      return { steps, items, undoes: changes.map(({ id }) => id) }
    }, checkAgain)
  }

  /** Whether `undo` can be done now. */
  async isUndoable(): Promise<boolean> {
    const loads = loadsOf(this.target)
    const changes = toUndo(this.state)
    if (!loads || changes.length === 0) return false
    const jars = await this.#jars(loads.folder)
    return isPossible(this.#inverseOf(changes), jars, this.state.waiting, this.#bench.trash)
  }

  #inverseOf(changes: readonly Change[]) {
    return inverseOf(
      changes.flatMap(({ steps }) => steps),
      this.newTrash(),
    )
  }

  /** Places in the trash for the files of one change. */
  newTrash(): () => string {
    const call = this.#bench.trash.newCall()
    let number = 0
    return () => `${call}-${number++}`
  }

  /** Does what waits, if the server does not run. Throws where what was begun could be neither done nor taken back. */
  carryOut(): Promise<void> {
    return this.#inTurn(() => this.#carryOut())
  }

  /** Does what waits right before the server's program is started. */
  beforeStart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#carryOut(true).catch((error: unknown) => {
        // All as it was: the server can run with that.
        if (this.state.waiting.length > 0) throw error
      })
      this.#onlineAt = null
      const { last, firstRun } = this.state
      // One that starts well after it had crashed is in order.
      if (last && ['none', 'crashed'].includes(firstRun)) this.work.save({ firstRun: 'begun' })
    })
  }

  /** How the first start since the last change goes. */
  heard(status: string): void {
    if (status === 'online') this.#onlineAt = this.#ports.clock.elapsed()
    if (this.state.firstRun !== 'begun' || !['offline', 'crashed'].includes(status)) return
    const ran = this.#onlineAt === null ? 0 : this.#ports.clock.elapsed() - this.#onlineAt
    const isCrash = status === 'crashed' && ran < START_MS
    this.work.save(isCrash ? { firstRun: 'crashed' } : { firstRun: 'well', untried: [] })
  }

  /** Notes why what was asked for was not done; it is told where it could not be written down too, as on a full disk. */
  failed(refused: Refusal, items: Change['items'] = []): void {
    const at = this.#ports.clock.now()
    const error = { at, ...refused.asTold, items, unfinished: this.state.goesBack }
    this.work.state = { ...this.state, error }
    this.work.save({})
  }

  /** Hashes of those of which none are known yet. What cannot be read has none. */
  async hash(installed: readonly Installed[], signal: AbortSignal): Promise<void> {
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

  /** What a jar says of itself that is prepared; undefined where it cannot be opened now. */
  readStaged(name: string) {
    return this.#ports.reader.read({ ...foldersOf(this.#ports.files), root: this.work.folder }, name)
  }

  /** Removes what was prepared and is not wanted any more, unless something is being done. */
  sweep(): Promise<void> {
    return this.#inTurn(async () => this.work.sweep())
  }

  /** Learns something of a jar. */
  know(mark: string, more: Partial<KnownJar>): void {
    this.work.known.set(mark, { ...(this.work.known.get(mark) ?? UNREAD), ...more })
  }

  async #carryOut(starting = false): Promise<void> {
    const { log, files } = this.#ports
    if (this.state.waiting.length === 0) return
    while (this.state.waiting.length > 0 && (starting || this.#ports.isDown())) {
      const [change] = this.state.waiting
      if (!change) return
      if (this.state.goesBack) await this.#takeBack(change)
      else
        try {
          for (const step of change.steps) await doStep(this.#bench, step)
          const untried = untriedAfter(this.state, change)
          this.work.save({ waiting: this.state.waiting.slice(1), last: change, firstRun: 'none', untried })
          await tidy(this.#bench, change.steps)
        } catch (error) {
          log.warn({ err: error, serverId: files.serverId }, 'extensions could not be changed')
          const told = diskFullRefusal(error) ?? asRefusal(error, '')
          const items = mergedItems(this.state.waiting)
          this.work.save({ goesBack: true })
          try {
            await this.#takeBack(change)
          } finally {
            if (told instanceof Refusal) this.failed(told, items)
          }
          throw told
        }
    }
    this.work.sweep()
    const trash = this.#bench.trash
    trash.sweep().catch((error: unknown) => log.warn({ err: error }, 'the trash was not swept'))
  }

  /** What was to come after it stood on it, and goes too. */
  async #takeBack(change: Change): Promise<void> {
    for (const step of change.steps.toReversed()) await takeBack(this.#bench, step)
    const { error } = this.state
    this.work.save({ waiting: [], goesBack: false, error: error && { ...error, unfinished: false } })
    this.work.sweep()
  }

  async #jars(folder: string): Promise<Map<string, JarFile>> {
    return afterChanges(await jarsIn(this.#ports.files, folder), this.state.waiting)
  }

  /** One reading at a time: who asks again meanwhile finds what the first has read. */
  #readInTurn(jars: readonly JarFile[]): Promise<void> {
    const reading = this.#reading.then(() => this.#readAll(jars))
    this.#reading = reading.catch(() => undefined)
    return reading
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

  /** Where the bytes of a jar lie. */
  #placeOf(jar: JarFile): [JarFolders, string] {
    const { files } = this.#ports
    return jar.staged === null
      ? [files, jar.path]
      : [{ ...foldersOf(files), root: this.work.folder }, jar.staged]
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}

/** What an earlier version has read does not say all that is asked now. */
const isRead = (known: KnownJar | undefined): boolean =>
  known !== undefined &&
  !known.facts?.some(({ java, fault }) => java === undefined || fault === undefined) &&
  !(known.broken && known.fault === undefined)

/** Of what could not be opened. */
const UNREAD: KnownJar = { facts: null, why: 'not-opened', hashes: null, origin: null, update: null }

const foldersOf = ({ serverId, root, staging, trash }: ServerFiles) => ({ serverId, root, staging, trash })

/** Those of one name in the order of their files. */
function byName(a: Installed, b: Installed): number {
  const [one, other] = [nameOf(a).toLowerCase(), nameOf(b).toLowerCase()]
  if (one === other) return a.jar.path < b.jar.path ? -1 : 1
  return one < other ? -1 : 1
}

export const nameOf = ({ facts, jar }: Pick<Installed, 'facts' | 'jar'>): string =>
  facts?.name ?? fileNameOf(jar)
