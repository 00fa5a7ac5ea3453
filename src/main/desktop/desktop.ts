import type { Player } from '../../contract/areas/players.ts'
import type { EventName, Events } from '../../contract/bridge/events.ts'
import type { AlertKind, DesktopChoices } from '../../contract/bridge/desktop-calls.ts'
import type { Transfers } from '../../contract/bridge/transfer-values.ts'
import type { Updates } from '../../contract/bridge/update-calls.ts'
import type { Connection, ServerRef, Settings, View } from '../../contract/bridge/values.ts'
import type { Panel } from '../panel/panel.ts'
import type { WindowLink } from '../base/windows.ts'
import { type Alert, alertOf, isMuted, isQuietForAll, kindOf } from './alerts/alert.ts'
import { AlertGate } from './alerts/alert-gate.ts'
import { PlayerGathering } from './alerts/player-gathering.ts'
import { playerNameOf } from './alerts/player-name.ts'
import { Facts, type DesktopEvent, type PlayersEvent } from './facts.ts'
import { UntilRules } from './alerts/until-rules.ts'
import { serverPlace, SETTINGS_PLACE } from './alerts/places.ts'
import { plainLine } from './alerts/plain-text.ts'
import { type TrayAction, type TrayHow, trayModel, type TrayModel } from './tray/tray-model.ts'
import { type DesktopWords, desktopWords } from './words.ts'

/** Tray redraws are coalesced over this many ms. */
const DRAW_MS = 250
/** Check interval for the end of quiet hours, in ms. */
const QUIET_AGAIN_MS = 5 * 60_000
const WATCHED = ['servers.list', 'notifications.list', 'notifications.settings'] as const

export interface DesktopPorts {
  panel: Pick<Panel, 'call' | 'attach' | 'detach'>
  showAlert: (alert: Alert) => void
  showTray: (model: TrayModel) => void
  onChoices: (choices: DesktopChoices) => void
  onSettings: (settings: Settings) => void
  /** A window is in front and shows events itself. */
  isLookedAt: () => boolean
  systemLanguage: () => string
  now: () => number
  /** Monotonic, ms. */
  elapsed: () => number
  after: (ms: number, run: () => void) => () => void
}

/** To the panel this is one more window: it gets the same events and makes the same calls. */
export class Desktop {
  readonly #ports: DesktopPorts
  readonly #facts = new Facts()
  readonly #gate: AlertGate
  readonly #players: PlayerGathering
  readonly #untilRules = new UntilRules((happening) => this.#tell(happening))
  readonly #link: WindowLink = {
    send: (event, value) => this.#take(event, value),
    pressure: () => 0,
  }
  readonly #asked = new Set<string>()
  readonly #told = new Set<EventName>()
  #language: Settings['language'] = 'system'
  #choices: DesktopChoices | null = null
  #ready: string | null = null
  #toldVersion: string | null = null
  #tellingLater: (() => void) | null = null
  #drawing: (() => void) | null = null
  #stopped = false

  constructor(ports: DesktopPorts) {
    this.#ports = ports
    const { elapsed, after, showAlert } = ports
    this.#gate = new AlertGate({ show: showAlert, words: () => this.#words, elapsed, after })
    this.#players = new PlayerGathering({
      tell: (event) => void this.#named(event).then((one) => this.#show(one)),
      elapsed,
      after,
    })
  }

  /** Never rejects: what cannot be read is not shown. */
  async start(): Promise<void> {
    this.#ports.panel.attach(this.#link)
    const [choices, settings, transfers, connections] = await Promise.all([
      this.#call<DesktopChoices>('desktop.choices'),
      this.#call<Settings>('settings.read'),
      this.#call<Transfers>('transfers.list'),
      this.#call<Connection[]>('connections.list'),
    ])
    // Events received meanwhile are newer.
    const told = this.#told
    if (settings && !told.has('settings')) this.#takeSettings(settings)
    if (choices && !told.has('desktop')) this.#take('desktop', choices)
    if (transfers && !told.has('transfers')) this.#facts.takeTransfers(transfers.items)
    if (connections && !told.has('connections')) this.#take('connections', connections)
    this.#draw()
  }

  stop(): void {
    this.#stopped = true
    this.#ports.panel.detach(this.#link)
    this.#gate.stop()
    this.#players.stop()
    this.#drawing?.()
    this.#tellingLater?.()
  }

  /** Re-reads the choices: desktop features may have changed. Never rejects. */
  async lookAgain(): Promise<void> {
    const choices = await this.#call<DesktopChoices>('desktop.choices')
    if (choices) this.#take('desktop', choices)
  }

  get connections(): readonly Connection[] {
    return this.#facts.connections
  }

  async power(server: ServerRef, action: TrayAction, how: TrayHow): Promise<void> {
    const { connectionId, serverId } = server
    const [name, input] =
      how === 'warn'
        ? ['servers.begin-countdown', { ...server, action, language: this.#words.language }]
        : [
            'operation.send',
            { operation: 'servers.power', connectionId, params: { serverId }, body: { action } },
          ]
    const outcome = await this.#ports.panel.call(name, input, this.#link)
    if (outcome.ok || this.#stopped) return
    this.#notDone(server, outcome.problem.message)
  }

  #notDone(server: ServerRef, why: string): void {
    const { connectionId, serverId } = server
    const name = this.#facts.serversOf(connectionId).find(({ id }) => id === serverId)?.name
    this.#gate.offer({
      key: `not done ${connectionId} ${serverId}`,
      title: this.#words.notDone(plainLine(name, 60) || serverId),
      body: plainLine(why, 200),
      to: serverPlace(server, 'overview'),
    })
  }

  /** Announces a new version once, after quiet hours. */
  #tellOfUpdate(): void {
    this.#tellingLater?.()
    this.#tellingLater = null
    const version = this.#ready
    if (version === null || version === this.#toldVersion) return
    if (isQuietForAll(this.#facts, this.#ports.now())) {
      this.#tellingLater = this.#ports.after(QUIET_AGAIN_MS, () => this.#tellOfUpdate())
      return
    }
    this.#toldVersion = version
    const title = this.#words.updateReady(plainLine(version, 40))
    this.#offer('update', { key: `update ${version}`, title, body: '', to: SETTINGS_PLACE })
  }

  get #words(): DesktopWords {
    return desktopWords(this.#language === 'system' ? this.#ports.systemLanguage() : this.#language)
  }

  #take<E extends EventName>(event: E, value: Events[E]): void {
    if (this.#stopped) return
    this.#told.add(event)
    if (event === 'settings') this.#takeSettings(value as Settings)
    if (event === 'updates') {
      const { state } = value as Updates
      this.#ready = state.kind === 'ready' ? state.update.version : null
      this.#tellOfUpdate()
    }
    if (event === 'desktop') {
      this.#choices = value as DesktopChoices
      this.#ports.onChoices(this.#choices)
    }
    if (event === 'countdown-failed' && !this.#ports.isLookedAt()) {
      const { problem, ...server } = value as Events['countdown-failed']
      this.#notDone(server, problem.message)
    }
    for (const happening of this.#facts.take(event, value)) this.#untilRules.take(happening)
    if (event === 'view') {
      const { view, connectionId, now } = value as Events['view']
      if (view === 'notifications.settings') this.#untilRules.answered(connectionId, now)
    }
    if (event === 'connections') this.#watch(value as Connection[])
    if (event === 'connections' || event === 'settings' || event === 'view') this.#draw()
  }

  #takeSettings(settings: Settings): void {
    this.#language = settings.language
    this.#facts.playersOn = settings.playersOn
    this.#ports.onSettings(settings)
  }

  #tell(happening: DesktopEvent): void {
    if (happening.kind !== 'joined' && happening.kind !== 'left') this.#show(happening)
    else if (this.#isWanted(happening.kind)) this.#players.take(happening)
  }

  #show(happening: DesktopEvent): void {
    if (!this.#stopped && !isMuted(happening, this.#facts, this.#ports.now()))
      this.#offer(kindOf(happening), alertOf(happening, this.#words))
  }

  /** Looks up the name, unless nothing will be shown. Never rejects. */
  async #named(event: PlayersEvent): Promise<PlayersEvent> {
    const { connectionId, server, kind } = event
    const now = this.#ports.now()
    if (!this.#isWanted(kind) || isMuted(event, this.#facts, now)) return event
    const params = { serverId: server.id }
    const named = { view: 'players.list', connectionId, params, query: {} } as const
    const read = await this.#call<View<{ items: Player[] }>>('view.read', { ...named, again: true })
    void this.#call('view.leave', named)
    return { ...event, player: playerNameOf(event, read?.value?.items ?? [], this.#ports.now()) }
  }

  #isWanted(kind: AlertKind): boolean {
    return this.#choices?.alerts[kind] === true && !this.#ports.isLookedAt()
  }

  #offer(kind: AlertKind, alert: Alert): void {
    if (this.#isWanted(kind)) this.#gate.offer(alert)
  }

  #draw(): void {
    this.#drawing ??= this.#ports.after(DRAW_MS, () => {
      this.#drawing = null
      this.#ports.showTray(trayModel(this.#facts, this.#words))
    })
  }

  #watch(connections: readonly Connection[]): void {
    for (const { id, state } of connections) {
      const name = `${id} ${state.kind === 'ready'}`
      if (this.#asked.has(name)) continue
      this.#asked.delete(`${id} ${state.kind !== 'ready'}`)
      this.#asked.add(name)
      if (!this.#facts.rulesOf(id)) this.#untilRules.wait(id)
      for (const view of WATCHED) void this.#read(view, id)
    }
    const ids = new Set(connections.map(({ id }) => id))
    this.#untilRules.keepOf(ids)
    for (const name of this.#asked)
      if (!ids.has(name.slice(0, name.lastIndexOf(' ')))) this.#asked.delete(name)
  }

  async #read(view: (typeof WATCHED)[number], connectionId: string): Promise<void> {
    const read = await this.#call<View<unknown>>('view.read', { view, connectionId, params: {}, query: {} })
    if (this.#stopped) return
    const happenings = read ? this.#facts.takeView(view, connectionId, read) : []
    for (const happening of happenings) this.#untilRules.take(happening)
    if (view === 'notifications.settings') this.#untilRules.answered(connectionId, read)
    this.#draw()
  }

  async #call<T>(name: string, input?: unknown): Promise<T | null> {
    const outcome = await this.#ports.panel.call(name, input, this.#link)
    return outcome.ok ? (outcome.value as T) : null
  }
}
