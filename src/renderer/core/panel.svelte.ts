import { tick } from 'svelte'
import type { AppInfo, Connection, KeychainStatus, Server, Settings } from '../../contract/bridge/values.ts'
import { afterPicture } from './after-picture.ts'
import { asProblem, call, on, onReach, type Problem } from './bridge.ts'
import { LiveView } from './live-view.svelte.ts'
import { useLanguage, t } from '../messages/t.svelte.ts'
import { keepCountsOf } from './remembered-counts.ts'
import { rails } from './rails.svelte.ts'
import { showTheme } from './theme.ts'

/** How long the first paint waits for main's cache, in ms. */
const FIRST_PICTURE_MS = 60
const FIRST_ASKED = 2
const ROW = 28

export class Panel {
  #connections = $state.raw<Connection[] | null>(null)
  #drawnMost = $state(Infinity)
  #settings = $state.raw<Settings>({
    theme: 'system',
    language: 'system',
    timestamps: false,
    playersOn: 'ask',
  })
  #info = $state.raw<AppInfo | null>(null)
  #keychain = $state.raw<KeychainStatus | null>(null)
  /** Only an established connection can be lost. */
  #reach = $state<'not-yet' | 'reached' | 'lost'>('not-yet')
  #problem = $state.raw<Problem | null>(null)
  #lists = new Map<string, LiveView<'servers.list'>>()
  readonly #holds: (() => void)[] = []
  #isMounted = false
  readonly #keepers = new Set<(connectionIds: ReadonlySet<string>) => void>()

  /** Loads what the first screen needs, in parallel; resolves when all of it is loaded. */
  start(): Promise<void> {
    on('connections', (connections) => this.#takeConnections(connections))
    on('settings', (settings) => this.#takeSettings(settings))
    rails.start()
    on('keychain', (keychain) => (this.#keychain = keychain))
    onReach((reached) => {
      if (reached && (this.#reach === 'lost' || this.#problem)) void this.#read()
      if (reached) this.#reach = 'reached'
      else if (this.#reach === 'reached') this.#reach = 'lost'
    })
    addEventListener('online', () => void call('app.online').catch(() => undefined))
    return this.#read()
  }

  async #read(): Promise<void> {
    // Without an arrangement, servers appear as their services list them.
    const arranged = rails.read().catch(() => undefined)
    const connections = call('connections.list').then((list) =>
      this.#connections === null ? this.#takeFirst(list, arranged) : this.#takeConnections(list),
    )
    const settings = call('settings.read').then((read) => this.#takeSettings(read))
    const info = call('app.info').then((read) => {
      this.#info = read
      this.#keychain = read.keychain
    })
    try {
      await Promise.all([connections, settings, info])
      this.#problem = null
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  /** Calls back with the remaining ids after the first list and each removal, to drop stale data. Before `start`. */
  forgetsWith(keepOf: (connectionIds: ReadonlySet<string>) => void): void {
    this.#keepers.add(keepOf)
  }

  get connections(): readonly Connection[] | null {
    return this.#connections
  }

  /** Connections to draw; before the first paint, only those that would be visible. */
  get drawn(): readonly Connection[] {
    return this.#connections?.slice(0, this.#drawnMost) ?? []
  }

  get settings(): Settings {
    return this.#settings
  }

  get info(): AppInfo | null {
    return this.#info
  }

  get keychain(): KeychainStatus | null {
    return this.#keychain
  }

  get reached(): boolean {
    return this.#reach !== 'lost'
  }

  get problem(): Problem | null {
    return this.#problem
  }

  connection(id: string): Connection | null {
    return this.#connections?.find((connection) => connection.id === id) ?? null
  }

  reach(connectionId: string): Connection['state']['kind'] {
    return this.reached ? (this.connection(connectionId)?.state.kind ?? 'offline') : 'offline'
  }

  /** The same view for every caller. */
  servers(connectionId: string): LiveView<'servers.list'> {
    let list = this.#lists.get(connectionId)
    if (!list) {
      list = new LiveView('servers.list', { connectionId })
      this.#lists.set(connectionId, list)
    }
    return list
  }

  server(connectionId: string, serverId: string): Server | null {
    return this.servers(connectionId).value?.items.find((server) => server.id === serverId) ?? null
  }

  /** Adds the connection returned by a call; its event may arrive later. */
  take(connection: Connection): void {
    const others = (this.#connections ?? []).filter((one) => one.id !== connection.id)
    const known = others.length < (this.#connections ?? []).length
    this.#makeLists([connection])
    this.#connections = known
      ? (this.#connections ?? []).map((one) => (one.id === connection.id ? connection : one))
      : [...others, connection]
  }

  /** Changes settings; restores the old ones if main refuses. Throws a `Problem`. */
  async change(change: Partial<Settings>): Promise<void> {
    const before = this.#settings
    this.#takeSettings({ ...before, ...change })
    try {
      this.#takeSettings(await call('settings.change', change))
    } catch (thrown) {
      this.#takeSettings(before)
      throw thrown
    }
  }

  async retryStart(): Promise<void> {
    await this.#read()
  }

  #takeConnections(connections: Connection[]): void {
    const ids = new Set(connections.map((connection) => connection.id))
    for (const id of this.#lists.keys()) if (!ids.has(id)) this.#lists.delete(id)
    keepCountsOf(ids)
    rails.keepOf(ids)
    // The first list also reports connections removed while no window was open.
    if (this.#connections?.every(({ id }) => ids.has(id)) !== true)
      for (const keepOf of this.#keepers) keepOf(ids)
    this.#makeLists(connections)
    this.#connections = connections
  }

  /** Before drawing: a list created during rendering would not be tracked. */
  #makeLists(connections: readonly Connection[]): void {
    for (const { id } of connections) this.servers(id)
  }

  /** Waits briefly for cached servers; if these fill the window, the rest loads after the first paint. */
  async #takeFirst(connections: Connection[], arranged: Promise<unknown>): Promise<void> {
    const late = new Promise<'late'>((done) => setTimeout(() => done('late'), FIRST_PICTURE_MS))
    const first = this.#hold(connections.slice(0, FIRST_ASKED))
    const isLate = (await Promise.race([Promise.all([first.read, arranged]), late])) === 'late'
    const rows = first.lists.reduce((sum, { value }) => sum + (value?.items.length ?? 0), 0)
    const fills = !isLate && rows * ROW >= innerHeight
    const others = fills ? null : this.#hold(connections.slice(FIRST_ASKED))
    if (others) await Promise.race([others.read, late])
    else {
      this.#drawnMost = first.lists.length
      afterPicture(() => (this.#drawnMost = Infinity))
    }
    if (this.#connections === null) this.#takeConnections(connections)
    if (this.#isMounted) await this.mounted()
  }

  /** Holds the lists until the frame does: no second read, no missed change. */
  #hold(connections: readonly Connection[]) {
    const lists = connections.map(({ id }) => this.servers(id))
    const read = Promise.all(lists.map((list) => list.read()))
    this.#holds.push(...lists.map((list) => list.hold()))
    return { lists, read }
  }

  async mounted(): Promise<void> {
    this.#isMounted = true
    if (this.#connections === null) return
    const holds = this.#holds.splice(0)
    await tick()
    for (const letGo of holds) letGo()
  }

  #takeSettings(settings: Settings): void {
    this.#settings = settings
    showTheme(settings.theme)
    void useLanguage(settings.language)
  }
}

export const panel = new Panel()

/** MiB that a server at this connection can have at most; null if unknown. */
export function memoryMostAt(connectionId: string): number | null {
  const isLocal = panel.connection(connectionId)?.kind === 'local'
  return isLocal ? (panel.info?.memoryMb ?? null) : null
}

/** What to begin with, in MiB: `wanted`, or what the computer has if that is less. */
export const memoryAt = (connectionId: string, wanted: number): string =>
  String(Math.min(wanted, memoryMostAt(connectionId) ?? wanted))

export function connectionName(connection: Connection): string {
  return connection.kind === 'local' ? t('start.local') : connection.name
}

export function connectionWord(connection: Connection): string {
  switch (panel.reach(connection.id)) {
    case 'ready':
      return t('connection.ready')
    case 'starting':
      return t('connection.starting')
    case 'offline':
      return t('connection.offline')
    case 'signed-out':
      return t('connection.signed-out')
  }
}
