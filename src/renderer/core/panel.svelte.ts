import { tick } from 'svelte'
import type { AppInfo, Connection, KeychainStatus, Server, Settings } from '../../contract/bridge/values.ts'
import { afterPicture } from './after-picture.ts'
import { asProblem, call, on, onReach, type Problem } from './bridge.ts'
import { LiveView } from './live-view.svelte.ts'
import { useLanguage } from '../messages/t.svelte.ts'
import { keepCountsOf } from './remembered-counts.ts'
import { rails } from './rails.svelte.ts'
import { showTheme } from './theme.ts'

/** How long the first picture waits for what main has in its cache, in ms. */
const FIRST_PICTURE_MS = 60
/** The servers of so many connections are asked for before those of the others. */
const FIRST_ASKED = 2
/** A server takes so much of the window's height at least, in pixels: a row of the rail. */
const ROW = 28

/** What every view of the window shares: the connections, their servers, and the person's settings. */
export class Panel {
  #connections = $state.raw<Connection[] | null>(null)
  #drawnMost = $state(Infinity)
  #settings = $state.raw<Settings>({ theme: 'system', language: 'system', timestamps: false })
  #info = $state.raw<AppInfo | null>(null)
  #keychain = $state.raw<KeychainStatus | null>(null)
  /** A window begins by connecting; only what was reached can be lost. */
  #reach = $state<'not-yet' | 'reached' | 'lost'>('not-yet')
  #problem = $state.raw<Problem | null>(null)
  #lists = new Map<string, LiveView<'servers.list'>>()
  /** What lets go of the lists that the first picture is made of. */
  readonly #holds: (() => void)[] = []
  #isMounted = false
  readonly #keepers = new Set<(connectionIds: ReadonlySet<string>) => void>()

  /**
   * Asks for what the first screen needs, all at once, and shows each as it arrives. Resolves when all of it was answered.
   */
  start(): Promise<void> {
    on('connections', (connections) => this.#takeConnections(connections))
    on('settings', (settings) => this.#takeSettings(settings))
    rails.start()
    on('keychain', (keychain) => (this.#keychain = keychain))
    onReach((reached) => {
      // Whatever was missed in between is read again.
      if (reached && (this.#reach === 'lost' || this.#problem)) void this.#read()
      if (reached) this.#reach = 'reached'
      else if (this.#reach === 'reached') this.#reach = 'lost'
    })
    addEventListener('online', () => void call('app.online').catch(() => undefined))
    return this.#read()
  }

  async #read(): Promise<void> {
    // Without it all servers are shown just the same, as their services list them.
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

  /**
   * Has what a feature keeps of connections in this window forgotten with them: it is told which there are when the first
   * list arrives, and when one has gone. Before `start`.
   */
  forgetsWith(keepOf: (connectionIds: ReadonlySet<string>) => void): void {
    this.#keepers.add(keepOf)
  }

  /** All connections, or null until they are known. */
  get connections(): readonly Connection[] | null {
    return this.#connections
  }

  /** Those to draw now: until the first picture stands, the ones that can be seen in it. */
  get drawn(): readonly Connection[] {
    return this.#connections?.slice(0, this.#drawnMost) ?? []
  }

  get settings(): Settings {
    return this.#settings
  }

  /** What the program is, or null until it has said so. */
  get info(): AppInfo | null {
    return this.#info
  }

  get keychain(): KeychainStatus | null {
    return this.#keychain
  }

  /** Whether main can be reached; a browser window can lose it. */
  get reached(): boolean {
    return this.#reach !== 'lost'
  }

  /** Why the first questions failed. */
  get problem(): Problem | null {
    return this.#problem
  }

  /** Whether a new token would not outlive the program. */
  get tokensInMemory(): boolean {
    return this.#keychain?.kind === 'missing' || this.#keychain?.kind === 'locked'
  }

  connection(id: string): Connection | null {
    return this.#connections?.find((connection) => connection.id === id) ?? null
  }

  /** How a service can be reached: as its connection says, and not at all where the panel itself is lost. */
  reach(connectionId: string): Connection['state']['kind'] {
    return this.reached ? (this.connection(connectionId)?.state.kind ?? 'offline') : 'offline'
  }

  /** The servers of a connection; the same view for whoever asks. */
  servers(connectionId: string): LiveView<'servers.list'> {
    let list = this.#lists.get(connectionId)
    if (!list) {
      list = new LiveView('servers.list', { connectionId })
      this.#lists.set(connectionId, list)
    }
    return list
  }

  /** A server as the list has it. */
  server(connectionId: string, serverId: string): Server | null {
    return this.servers(connectionId).value?.items.find((server) => server.id === serverId) ?? null
  }

  /** Takes a connection that a call has answered, in case the event about it is still on its way. */
  take(connection: Connection): void {
    const others = (this.#connections ?? []).filter((one) => one.id !== connection.id)
    const known = others.length < (this.#connections ?? []).length
    this.#makeLists([connection])
    this.#connections = known
      ? (this.#connections ?? []).map((one) => (one.id === connection.id ? connection : one))
      : [...others, connection]
  }

  /** Changes settings; what was there before comes back where main refuses. Throws a `Problem`. */
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
    // The first list tells of those too that went while no window was open.
    if (this.#connections?.every(({ id }) => ids.has(id)) !== true)
      for (const keepOf of this.#keepers) keepOf(ids)
    this.#makeLists(connections)
    this.#connections = connections
  }

  /** Before anything draws them: whatever made a list while it is drawn would not follow it. */
  #makeLists(connections: readonly Connection[]): void {
    for (const { id } of connections) this.servers(id)
  }

  /**
   * The first connections are shown together with their servers where main has those in its cache, so that the first
   * picture is the right one. What takes longer is not waited for. Where the lists of the first few fill the window,
   * nothing of the others is asked for or drawn before that picture: nobody could see it.
   */
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
    // An event may have told newer ones meanwhile.
    if (this.#connections === null) this.#takeConnections(connections)
    if (this.#isMounted) await this.mounted()
  }

  /** Holds the lists until the frame does: each is asked for once, and no change in between is missed. */
  #hold(connections: readonly Connection[]) {
    const lists = connections.map(({ id }) => this.servers(id))
    const read = Promise.all(lists.map((list) => list.read()))
    this.#holds.push(...lists.map((list) => list.hold()))
    return { lists, read }
  }

  /** The frame is there: from its next update on it holds by itself what it shows. */
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

/** The one panel of this window. */
export const panel = new Panel()
