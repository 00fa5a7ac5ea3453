import { randomUUID } from 'node:crypto'
import { EXTENSIONS_MOST } from '../../contract/areas/extensions.ts'
import type { Target } from '../../extensions/catalogs/extension-catalog.ts'
import type { Change } from '../../extensions/folder/change.ts'
import { sharedId } from '../../extensions/folder/ids.ts'
import { isJarName, type JarFile } from '../../extensions/folder/jar-file.ts'
import { UNREAD } from '../../extensions/folder/known-jar.ts'
import { type Loads, LOADS_OF_FOLDER, loadsOf } from '../../extensions/folder/loads.ts'
import * as refusals from '../../extensions/folder/refusals.ts'
import { changeOf, inverseOf, isPossible, undoneItem } from '../../extensions/folder/undo.ts'
import {
  type ExtensionJar,
  extensionsOf,
  type InstalledExtensions,
} from '../../extensions/installed/extension-jar.ts'
import { Refusal } from '../../host/refusal.ts'
import type { HostRefusal } from '../base/adapter.ts'
import { entriesOf, type RemoteFolder } from './remote-folder.ts'
import { doSteps, dropKept, markOf, newTrash, TAKEN_OUT, undoSteps } from './remote-steps.ts'
import type { RemoteJar, ServerRecord } from './server-record.ts'

/** How a server runs now, as far as its host tells. */
export interface ServerRun {
  isRunning: boolean
  /** How its log begins, which changes with each start; empty if it isn't known. */
  log: string
}

interface RemotePorts {
  folder: RemoteFolder
  record: ServerRecord
  /** Null: what the server runs can't be told from its files. */
  target: Target | null
  run: () => Promise<ServerRun>
  /** Reads what lacks, and resolves when that is done, or has taken its time. */
  readAll: (jars: readonly JarFile[]) => Promise<void>
  hashAll: (jars: readonly JarFile[], signal: AbortSignal) => Promise<void>
}

type MakeSteps = (jars: ReadonlyMap<string, JarFile>) => ChangeOutcome | Promise<ChangeOutcome>
type ChangeOutcome = Pick<Change, 'items' | 'steps' | 'undoes'>

/** The extensions of a server at a host, for one request. */
export class RemoteExtensions implements InstalledExtensions {
  readonly #ports: RemotePorts
  #loads: Loads | undefined

  constructor(ports: RemotePorts) {
    this.#ports = ports
  }

  get target(): Target {
    return this.#ports.target ?? { software: '', version: '' }
  }

  get isTargetKnown(): boolean {
    return this.#ports.target !== null
  }

  get record(): ServerRecord {
    return this.#ports.record
  }

  /** Jars that were not read yet have no problems and their file's name. */
  async list(): Promise<ExtensionJar[]> {
    const loads = await this.loads()
    const jars = [...(await this.#jars()).values()]
    await this.#ports.readAll(jars)
    const { known, state } = this.record
    const scanned = jars.map((jar) => ({ jar, known: known.get(jar.mark) ?? UNREAD }))
    const all = await extensionsOf(scanned, {
      ...{ target: this.target, loads, pinned: state.pinned },
      // The Java of a host isn't known.
      java: () => Promise.resolve(null),
    })
    // What wasn't read may be what is missed.
    const isPartial = all.some(({ jar, enabled }) => enabled && this.#isPartlyRead(jar))
    return all.map((one) => ({
      ...one,
      problems: one.problems.filter(
        ({ kind }) =>
          (kind !== 'unreadable' || known.has(one.jar.mark)) && (kind !== 'missing-dependency' || !isPartial),
      ),
    }))
  }

  #isPartlyRead({ mark, isFile }: JarFile): boolean {
    return isFile && (this.record.known.get(mark)?.isPartial ?? true)
  }

  /** Throws 404 `extensions.not-found`. */
  async find(id: string): Promise<ExtensionJar> {
    const found = (await this.list()).find((one) => one.id === id)
    if (!found) throw refusals.notInstalled()
    return found
  }

  pin(id: string, pinned: boolean): void {
    const others = this.record.state.pinned.filter((one) => one !== id && one !== sharedId(id))
    this.record.save({ pinned: pinned ? [...others, id] : others })
  }

  async loads(): Promise<Loads> {
    const told = loadsOf(this.target)
    if (told) return told
    if (this.#ports.target) throw refusals.notSupported()
    this.#loads ??=
      (await jarsIn(this.#ports.folder, 'mods')).size > 0 ? LOADS_OF_FOLDER.mods : LOADS_OF_FOLDER.plugins
    return this.#loads
  }

  /** Changes the folder; nothing changes if it throws. Throws what `make` throws, and what the host refuses. */
  commit(make: MakeSteps): Promise<Change> {
    const { folder, record, run } = this.#ports
    return record.turns.run('changes', async () => {
      await this.#settle()
      const made = await make(await this.#jars())
      const change: Change = { ...made, id: randomUUID(), at: Date.now() }
      if (change.steps.length === 0) return change
      const ran = await run()
      const { last } = record.state
      record.save({ pending: change, error: null })
      try {
        await doSteps(folder, change.steps)
      } catch (error) {
        // What is half done is reverted before the next change.
        if (!(error instanceof AggregateError)) record.save({ pending: null })
        throw error instanceof AggregateError ? error.errors[0] : error
      }
      const paths = change.steps.flatMap(({ to }) => (to.folder === 'server' ? to.path : []))
      const before = isSameRun(record.state.fresh, ran) ? record.state.fresh!.paths : []
      const fresh = ran.isRunning ? { log: ran.log, paths: [...before, ...paths] } : null
      record.save({ pending: null, last: change, fresh })
      if (last) await dropKept(folder, last, change).catch(() => undefined)
      return change
    })
  }

  /** Throws 409 `extensions.nothing-to-undo`, `extensions.changed-since`. */
  undo(path: string | null): Promise<Change> {
    return this.commit(async (jars) => {
      const { last } = this.record.state
      // Of one jar, only what the last change did with it.
      const change = path === null ? last : last && changeOf({ waiting: [], untried: [], last }, path)
      if (!change) throw refusals.nothingToUndo()
      const steps = inverseOf(change.steps, newTrash)
      if (!(await this.#isPossible(steps, jars))) throw refusals.changedSince()
      return { steps, items: change.items.map(undoneItem), undoes: [change.id] }
    })
  }

  async isUndoable(): Promise<boolean> {
    const { last, pending } = this.record.state
    return (
      last !== null &&
      pending === null &&
      this.#isPossible(inverseOf(last.steps, newTrash), await this.#jars())
    )
  }

  #isPossible(steps: Change['steps'], jars: ReadonlyMap<string, JarFile>): Promise<boolean> {
    let kept: Promise<ReadonlySet<string>> | null = null
    const names = async () =>
      new Set((await entriesOf(this.#ports.folder, TAKEN_OUT)).map(({ name }) => name))
    return isPossible(steps, jars, [], {
      async find(id) {
        if (!(await (kept ??= names())).has(id)) throw refusals.changedSince()
      },
    })
  }

  failed(refused: Refusal | HostRefusal): void {
    const told = refused.told
    const code = refused instanceof Refusal ? refused.code : (told?.sentence ?? 'host.said')
    const { message } = refused
    const why = { code, message, ...(told && { sentence: told.sentence, values: told.values }) }
    this.record.save({ error: { at: Date.now(), ...why } })
  }

  async hash(installed: readonly ExtensionJar[], signal: AbortSignal): Promise<void> {
    const unhashed = installed.filter(({ known, jar }) => !known.hashes && jar.isFile)
    if (unhashed.length > 0)
      await this.#ports.hashAll(
        unhashed.map(({ jar }) => jar),
        signal,
      )
  }

  know(mark: string, more: Partial<RemoteJar>): void {
    const { known } = this.record
    known.set(mark, { ...(known.get(mark) ?? UNREAD), ...more })
  }

  saveKnown(present: ReadonlySet<string>): void {
    this.record.saveKnown(present)
  }

  /** Reverts what an earlier run left half done. */
  async #settle(): Promise<void> {
    const { pending } = this.record.state
    if (!pending) return
    await undoSteps(this.#ports.folder, pending.steps)
    this.record.save({ pending: null })
  }

  async #jars(): Promise<Map<string, JarFile>> {
    const { folder } = await this.loads()
    const jars = await jarsIn(this.#ports.folder, folder)
    const { fresh } = this.record.state
    if (fresh && fresh.paths.some((path) => jars.has(path))) {
      const isWaiting = isSameRun(fresh, await this.#ports.run())
      for (const path of fresh.paths) {
        const jar = jars.get(path)
        if (jar) jar.waits = isWaiting
      }
    }
    return jars
  }
}

/** A log may have grown since. */
const isSameRun = (fresh: { log: string } | null, { isRunning, log }: ServerRun): boolean =>
  fresh !== null && isRunning && (log.startsWith(fresh.log) || fresh.log.startsWith(log))

/** Jars by path, bounded. */
async function jarsIn(from: RemoteFolder, folder: string): Promise<Map<string, JarFile>> {
  const entries = (await entriesOf(from, folder))
    .filter(({ name, kind }) => isJarName(name) && kind !== 'folder')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, EXTENSIONS_MOST)
  return new Map(
    entries.map(({ name, kind, size, modifiedAt }) => {
      const path = `${folder}/${name}`
      const bytes = size ?? 0
      const mark = markOf(path, bytes, modifiedAt)
      return [path, { path, mark, size: bytes, staged: null, waits: false, isFile: kind === 'file' }]
    }),
  )
}
