import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Server } from '../../contract/areas/servers.ts'
import type { z } from 'zod'
import type { Target } from '../../extensions/catalogs/extension-catalog.ts'
import type { ExtensionCatalogs } from '../../extensions/catalogs/extension-catalogs.ts'
import type { JarFile } from '../../extensions/folder/jar-file.ts'
import { UNREAD } from '../../extensions/folder/known-jar.ts'
import { softwareName } from '../../extensions/software/software-name.ts'
import { eachInParallel } from '../../host/each-in-parallel.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import type { NetworkRequester } from '../base/requester.ts'
import { RemoteExtensions, type ServerRun } from './remote-extensions.ts'
import type { RemoteFolder } from './remote-folder.ts'
import { RemoteInstalls } from './remote-installs.ts'
import { hashRemoteJar, readRemoteJar } from './remote-jar.ts'
import { ServerRecord } from './server-record.ts'
import { softwareOf } from './software.ts'

/** A request waits for so long for what is read, ms; the rest is read after it. */
const PATIENCE_MS = 8000
/** What a server runs is looked up again after so long, ms. */
const SOFTWARE_MS = 5 * 60_000
const AT_ONCE = 3
/** These mean that the others would be refused, too. */
const STOPS: readonly number[] = [401, 429, 502, 503, 504]

const CHANGED = ['extensions.list', 'extensions.changes', 'extensions.updates', 'files.list']

/** What a panel gives a connection for its plugins and mods. */
export interface ExtensionHostPorts {
  /** On this computer: what is known of the servers' jars. */
  folder: string
  /** Null: none are asked. */
  catalogs: ExtensionCatalogs | null
  dispatcher: NetworkRequester
}

/** What an adapter gives. */
export interface ServerAccess {
  folder: (serverId: string, caller: Caller) => RemoteFolder
  run: (serverId: string, caller: Caller) => Promise<ServerRun>
}

/** Null: this is no connection's. */
export const openExtensions = (
  ports: ExtensionHostPorts | null,
  access: ServerAccess,
): HostExtensions | null => ports && new HostExtensions(ports, access)

type Listener = (serverId: string, reads: readonly string[]) => void

/** The extensions of a connection's servers. */
export class HostExtensions {
  readonly ports: ExtensionHostPorts
  readonly installs: RemoteInstalls
  readonly #access: ServerAccess
  readonly #records = new Map<string, Promise<ServerRecord>>()
  readonly #targets = new Map<string, { at: number; value: Promise<Target | null> }>()
  readonly #listeners = new Set<Listener>()
  readonly #ended = new AbortController()

  constructor(ports: ExtensionHostPorts, access: ServerAccess) {
    this.ports = ports
    this.#access = access
    this.installs = new RemoteInstalls({
      downloads: path.join(ports.folder, 'downloads'),
      dispatcher: ports.dispatcher,
      headers: ports.catalogs?.headers ?? {},
      tell: (serverId, isAll) => this.#tell(serverId, isAll ? CHANGED : ['extensions.changes']),
    })
  }

  /** For a request, or as long as this connection if `isLong`. `isStrict`: it refuses if hashes still lack. */
  async of(
    serverId: string,
    caller: Caller,
    { isStrict = false, isLong = false } = {},
  ): Promise<RemoteExtensions> {
    const lasting: Caller = { key: caller.key, signal: this.#ended.signal }
    const own = isLong ? lasting : caller
    const record = await this.#record(serverId)
    const folder = this.#access.folder(serverId, lasting)
    const patient = (work: Promise<boolean>, signal: AbortSignal) =>
      this.#patiently(serverId, work, isLong ? null : PATIENCE_MS, signal)
    return new RemoteExtensions({
      ...{ folder: this.#access.folder(serverId, own), record },
      target: await this.target(serverId, own),
      run: () => this.#access.run(serverId, own),
      readAll: async (jars) => {
        const lacking = jars.filter(({ mark, isFile }) => isFile && !record.known.has(mark))
        if (lacking.length > 0) await patient(this.#read(record, folder, lacking), own.signal)
      },
      hashAll: async (jars, signal) => {
        const isDone = await patient(this.#hash(record, folder, jars), signal)
        if (!isDone && isStrict) throw hostRefusal(503, 'host.jars-unread')
      },
    })
  }

  /** One whose work goes on after the request. */
  async lasting(serverId: string, { key }: Caller) {
    const caller = { key, signal: this.#ended.signal }
    const extensions = await this.of(serverId, caller, { isLong: true })
    return { serverId, folder: this.#access.folder(serverId, caller), extensions }
  }

  target(serverId: string, caller: Caller): Promise<Target | null> {
    const known = this.#targets.get(serverId)
    if (known && performance.now() - known.at < SOFTWARE_MS) return known.value
    const lasting = { key: caller.key, signal: this.#ended.signal }
    const value = softwareOf(this.#access.folder(serverId, lasting))
    value.catch(() => this.#targets.delete(serverId))
    this.#targets.set(serverId, { at: performance.now(), value })
    return value
  }

  /** Null if its files don't tell, or not soon. Never rejects. */
  async software(serverId: string, caller: Caller): Promise<z.input<typeof Server>['software']> {
    const late = new AbortController()
    try {
      const told = this.target(serverId, caller)
      const target = await Promise.race([told, wait(PATIENCE_MS, null, { signal: late.signal })])
      if (!target) return null
      const { software: id, version } = target
      return { id, name: softwareName(id), version, ...(id === 'velocity' && { proxy: true }) }
    } catch {
      return null
    } finally {
      late.abort()
    }
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.installs.close()
    this.#ended.abort(new Error('closed'))
  }

  #record(serverId: string): Promise<ServerRecord> {
    let record = this.#records.get(serverId)
    if (!record) {
      record = ServerRecord.open(this.ports.folder, serverId)
      record.catch(() => this.#records.delete(serverId))
      this.#records.set(serverId, record)
    }
    return record
  }

  #tell(serverId: string, reads: readonly string[]): void {
    for (const listener of this.#listeners) listener(serverId, reads)
  }

  /** Whether it was done in time; if not, what it found is told when it is. */
  async #patiently(
    serverId: string,
    work: Promise<boolean>,
    most: number | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (most === null) return work.then(() => true)
    const late = new AbortController()
    const isDone = await Promise.race([
      work.then(() => true),
      wait(most, false, { signal: AbortSignal.any([late.signal, signal]), ref: false }),
    ]).finally(() => late.abort())
    if (!isDone)
      work.then(
        (isNew) => isNew && this.#tell(serverId, CHANGED),
        () => undefined,
      )
    return isDone
  }

  /** Whether anything was read. */
  #read(record: ServerRecord, folder: RemoteFolder, jars: readonly JarFile[]): Promise<boolean> {
    return this.#each(record, jars, async ({ mark, path: at, size }) => {
      if (record.known.has(mark)) return false
      record.known.set(mark, { ...UNREAD, ...(await readRemoteJar(folder, at, size)) })
      return true
    })
  }

  #hash(record: ServerRecord, folder: RemoteFolder, jars: readonly JarFile[]): Promise<boolean> {
    return this.#each(record, jars, async ({ mark, path: at, size }) => {
      const known = record.known.get(mark)
      if (known?.hashes) return false
      const hashes = await hashRemoteJar(folder, at, size)
      if (hashes) record.known.set(mark, { ...(record.known.get(mark) ?? UNREAD), hashes })
      return hashes !== null
    })
  }

  /** One jar that is refused doesn't fail the others. */
  #each(
    record: ServerRecord,
    jars: readonly JarFile[],
    act: (jar: JarFile) => Promise<boolean>,
  ): Promise<boolean> {
    return record.turns.run('readings', async () => {
      let isNew = false
      try {
        await eachInParallel(jars, AT_ONCE, this.#ended.signal, async (jar) => {
          try {
            if (await act(jar)) isNew = true
          } catch (error) {
            if (!(error instanceof HostRefusal) || STOPS.includes(error.status)) throw error
          }
        })
      } finally {
        if (isNew) record.saveKnown(new Set(jars.map(({ mark }) => mark)))
      }
      return isNew
    })
  }
}
