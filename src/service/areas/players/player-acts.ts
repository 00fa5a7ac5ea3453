import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { PlayerActRequest, PlayerActResult } from '../../../contract/areas/players.ts'
import type { Clock } from '../../base/clock.ts'
import type { Managements } from '../../management/managements.ts'
import { toldOf, refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { actByConsole, askConsole } from './act-by-console.ts'
import {
  actFault,
  failedAct,
  handlesOf,
  identify,
  playerCommand,
  resultOf,
} from '../../../contract/rules/game/player-acts.ts'
import { actByFiles } from './act-by-files.ts'
import { actOnHandles, type ManagedResult, turnByManagement } from '../../../host/management/player-acts.ts'
import { type ConsoleAnswer, whitelistReader } from '../../../contract/rules/game/console-answers.ts'
import type { ServerPlayers } from './server-players.ts'
import { writeWhitelist } from './write-whitelist.ts'
import type { WorldPlayers } from './world-players.ts'

interface ActPorts {
  players: ServerPlayers
  runtime: Runtime
  store: Pick<Store, 'players'>
  clock: Clock
  managements: Pick<Managements, 'of'>
}

interface ActRequest {
  act: PlayerActRequest
  checkAgain: () => void
  signal?: AbortSignal
}

/** Acts on players: on running servers through the management protocol or console commands, else in the files. */
export class PlayerActs {
  readonly #ports: ActPorts
  /** One act per server at a time: console answers must match their commands. */
  readonly #turns = new Lanes({ perLane: 1 })

  constructor(ports: ActPorts) {
    this.#ports = ports
  }

  /**
   * One result per player, in order. Throws Refusal 409 `server.starting`, `server.stopping`, `server.running`,
   * `server.not-running`, `server.not-reading`, `players.list-damaged`, `players.file-full`; 422 `request.invalid`.
   */
  perform(serverId: string, asked: ActRequest): Promise<{ results: PlayerActResult[]; running: boolean }> {
    return this.#turns.run(serverId, () => this.#perform(serverId, asked))
  }

  /**
   * Throws Refusal 409 `server.starting`, `server.stopping`, `server.running`, `server.not-running`,
   * `server.not-reading`, `players.settings-damaged`, `players.refused`, `players.unconfirmed`.
   */
  turnWhitelist(serverId: string, enabled: boolean, checkAgain: () => void): Promise<void> {
    return this.#turns.run(serverId, () => this.#turnWhitelist(serverId, enabled, checkAgain))
  }

  async #perform(
    serverId: string,
    asked: ActRequest,
  ): Promise<{ results: PlayerActResult[]; running: boolean }> {
    const { players, runtime, clock } = this.#ports
    asked.checkAgain()
    const { act } = asked
    requireSense(act, clock.now())
    this.#requireSettled(serverId)
    const world = await players.read(serverId)
    asked.checkAgain()
    const running = !runtime.isDown(serverId)
    const handles = handlesOf(act)
    const results = running
      ? ((await this.#manage(serverId, asked, world)) ?? (await this.#tell(serverId, asked, world, handles)))
      : await this.#write(serverId, asked, world, handles)
    return { results, running }
  }

  async #turnWhitelist(serverId: string, enabled: boolean, checkAgain: () => void): Promise<void> {
    const { players, runtime } = this.#ports
    checkAgain()
    this.#requireSettled(serverId)
    if (runtime.isDown(serverId)) return writeWhitelist(players.files(serverId), enabled, checkAgain)
    const link = this.#ports.managements.of(serverId)
    const turned = link && (await turnByManagement(link, enabled))
    if (turned === 'unconfirmed') throw refusal(409, 'players.unconfirmed')
    if (turned === 'done') return
    checkAgain()
    const command = `whitelist ${enabled ? 'on' : 'off'}`
    const answer = await askConsole(runtime, serverId, { command, read: whitelistReader(enabled) })
    if (answer === null) throw refusal(409, 'players.unconfirmed')
    if (answer.kind === 'refused') throw refusal(409, 'players.refused', { answer: answer.words })
  }

  /** While starting or stopping, a server takes no commands and owns its files. */
  #requireSettled(serverId: string): void {
    const status = this.#ports.runtime.status(serverId)?.status
    if (status === 'starting' || status === 'stopping') throw notNow(status)
  }

  async #manage(
    serverId: string,
    { act, checkAgain }: ActRequest,
    world: WorldPlayers,
  ): Promise<PlayerActResult[] | null> {
    const link = this.#ports.managements.of(serverId)
    const managed = link && (await actOnHandles(link, act, world, checkAgain))
    if (!managed) return null
    this.#dropEnds(serverId, act, managed.done)
    return managed.results
  }

  /** Drops our ban ends where the server now knows them itself. */
  #dropEnds(serverId: string, { action }: PlayerActRequest, done: readonly ManagedResult[]): void {
    if (action !== 'ban' && action !== 'pardon') return
    for (const { outcome, uuid } of done)
      if (outcome === 'done' && uuid !== null) this.#ports.store.players.dropBan(serverId, uuid)
  }

  async #tell(
    serverId: string,
    { act, signal, checkAgain }: ActRequest,
    world: WorldPlayers,
    handles: readonly string[],
  ): Promise<PlayerActResult[]> {
    const { action } = act
    const named = handles.map((handle) => ({ handle, told: playerCommand(act, handle, world) }))
    const commands = named.flatMap(({ told }) => ('sentence' in told ? [] : [told]))
    const answers = await actByConsole(this.#ports.runtime, serverId, action, commands, {
      signal,
      checkAgain,
    })
    const names = commands.map(({ name }) => name)
    const bans = action === 'ban' ? await this.#endBans(serverId, act, names, answers) : null
    return named.map(({ handle, told }) => {
      if ('sentence' in told) return failedAct(handle, told)
      const { name } = told
      const result = resultOf(handle, answers[names.indexOf(name)] ?? null)
      return bans?.has(name) === false && result.outcome !== 'failed'
        ? { ...result, error: toldOf(refusalText('players.no-end', { name })) }
        : result
    })
  }

  /**
   * Console bans have no end, so we keep it, with the ban's creation time to refusalText it from later ones. Returns for
   * whom that worked; null if no end was requested.
   */
  async #endBans(
    serverId: string,
    { until }: PlayerActRequest,
    names: readonly string[],
    answers: readonly (ConsoleAnswer | null)[],
  ): Promise<Set<string> | null> {
    const { players, store } = this.#ports
    const list = await players.lists(serverId).read(players.files(serverId), 'bans')
    const kept = new Set<string>()
    for (const [index, name] of names.entries()) {
      if (answers[index]?.kind === 'refused') continue
      const entry = list.entries.findLast((one) => one.name?.toLowerCase() === name.toLowerCase())
      if (!entry?.uuid || entry.created === null) continue
      const { uuid, created } = entry
      if (until === undefined) store.players.dropBan(serverId, uuid)
      else store.players.keepBan({ serverId, uuid, name, created, endsAt: Date.parse(until) })
      kept.add(name)
    }
    return until === undefined ? null : kept
  }

  async #write(
    serverId: string,
    { act, checkAgain }: ActRequest,
    world: WorldPlayers,
    handles: readonly string[],
  ): Promise<PlayerActResult[]> {
    const { players, store, clock } = this.#ports
    const { action, reason = '', until } = act
    if (action === 'kick' || action === 'message')
      return handles.map((handle) => failedAct(handle, refusalText('players.not-running')))
    const named = handles.map((handle) => ({ handle, player: identify(act, handle, world) }))
    const known = named.flatMap(({ player }) => ('sentence' in player ? [] : [player]))
    const changed = await actByFiles(
      players.files(serverId),
      {
        ...{ action, reason, until: until === undefined ? null : Date.parse(until) },
        ...{ now: clock.now(), opLevel: world.settings.opLevel },
      },
      known,
      checkAgain,
    )
    // The file now contains the ban's end.
    if (action === 'ban' || action === 'pardon')
      for (const { uuid } of changed) store.players.dropBan(serverId, uuid)
    return named.map(({ handle, player }) => {
      if ('sentence' in player) return failedAct(handle, player)
      return { name: handle, outcome: changed.has(player) ? 'done' : 'unchanged' }
    })
  }
}

function requireSense(act: PlayerActRequest, now: number): void {
  const fault = actFault(act, now)
  if (fault) throw refusal(422, fault.sentence).at(fault.field)
}

const notNow = (status: 'starting' | 'stopping') =>
  refusal(409, status === 'starting' ? 'server.starting.moment' : 'server.stopping.moment')
