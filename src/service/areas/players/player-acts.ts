import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'
import type { z } from 'zod'
import type { PlayerAct, PlayerResult } from '../../../contract/areas/players.ts'
import type { Clock } from '../../base/clock.ts'
import type { Managements } from '../../management/managements.ts'
import { toldOf, refusal } from '../../base/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { commandOf } from '../../../contract/rules/players/player-commands.ts'
import { isPlayerName } from '../../../contract/rules/players/player-names.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { asUuid } from '../../worlds/player-uuid.ts'
import { actByConsole, askConsole } from './act-by-console.ts'
import { actByFiles, type PlayerIdentity } from './act-by-files.ts'
import { actByManagement, type ManagedResult, type Target, turnByManagement } from './act-by-management.ts'
import { type ConsoleAnswer, whitelistReader } from './console-answers.ts'
import type { ServerPlayers } from './server-players.ts'
import { writeWhitelist } from './write-whitelist.ts'
import type { WorldPlayers } from './world-players.ts'

type Result = z.input<typeof PlayerResult>
type Act = z.output<typeof PlayerAct>

interface ActPorts {
  players: ServerPlayers
  runtime: Runtime
  store: Pick<Store, 'players'>
  clock: Clock
  managements: Pick<Managements, 'of'>
}

interface ActRequest {
  act: Act
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
  perform(serverId: string, asked: ActRequest): Promise<{ results: Result[]; running: boolean }> {
    return this.#turns.run(serverId, () => this.#perform(serverId, asked))
  }

  /**
   * Throws Refusal 409 `server.starting`, `server.stopping`, `server.running`, `server.not-running`,
   * `server.not-reading`, `players.settings-damaged`, `players.refused`, `players.unconfirmed`.
   */
  turnWhitelist(serverId: string, enabled: boolean, checkAgain: () => void): Promise<void> {
    return this.#turns.run(serverId, () => this.#turnWhitelist(serverId, enabled, checkAgain))
  }

  async #perform(serverId: string, asked: ActRequest): Promise<{ results: Result[]; running: boolean }> {
    const { players, runtime, clock } = this.#ports
    asked.checkAgain()
    const { act } = asked
    requireSense(act, clock.now())
    this.#requireSettled(serverId)
    const world = await players.read(serverId)
    asked.checkAgain()
    const running = !runtime.isDown(serverId)
    const handles = [...new Map(act.names.map((name) => [name.toLowerCase(), name])).values()]
    const results = running
      ? ((await this.#manage(serverId, asked, world, handles)) ??
        (await this.#tell(serverId, asked, world, handles)))
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
    handles: readonly string[],
  ): Promise<Result[] | null> {
    const link = this.#ports.managements.of(serverId)
    if (!link) return null
    const named = handles.map((handle) => ({ handle, target: targetOf(handle, world) }))
    const targets = named.flatMap(({ target }) => target ?? [])
    const done = await actByManagement(link, act, targets, checkAgain)
    if (!done) return null
    this.#dropEnds(serverId, act, done)
    return named.map(({ handle, target }) => {
      if (target === null) return failed(handle, noName(handle))
      const { outcome, error } = done[targets.indexOf(target)]!
      return { name: handle, outcome, ...(error ? { error } : {}) }
    })
  }

  /** Drops our ban ends where the server now knows them itself. */
  #dropEnds(serverId: string, { action }: Act, done: readonly ManagedResult[]): void {
    if (action !== 'ban' && action !== 'pardon') return
    for (const { outcome, uuid } of done)
      if (outcome === 'done' && uuid !== null) this.#ports.store.players.dropBan(serverId, uuid)
  }

  async #tell(
    serverId: string,
    { act, signal, checkAgain }: ActRequest,
    world: WorldPlayers,
    handles: readonly string[],
  ): Promise<Result[]> {
    const { action, reason = '' } = act
    const named = handles.map((handle) => {
      const name = nameOf(handle, world)
      return { handle, name, command: name === null ? null : commandOf(action, name, reason) }
    })
    const commands = named.flatMap(({ name, command }) =>
      name === null || command === null ? [] : [{ name, command }],
    )
    const answers = await actByConsole(this.#ports.runtime, serverId, action, commands, {
      signal,
      checkAgain,
    })
    const names = commands.map(({ name }) => name)
    const bans = action === 'ban' ? await this.#endBans(serverId, act, names, answers) : null
    return named.map(({ handle, name, command }) => {
      if (name === null) return failed(handle, unknownName(handle))
      if (command === null) return failed(handle, refusalText('players.name-unknown.command', { name }))
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
    { until }: Act,
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
  ): Promise<Result[]> {
    const { players, store, clock } = this.#ports
    const { action, reason = '', until } = act
    if (action === 'kick' || action === 'message')
      return handles.map((handle) => failed(handle, refusalText('players.not-running')))
    const takesAway = action === 'pardon' || action === 'deop' || action === 'whitelist-remove'
    const named = handles.map((handle) => ({ handle, player: identify(handle, world, takesAway) }))
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
      if ('sentence' in player) return failed(handle, player)
      return { name: handle, outcome: changed.has(player) ? 'done' : 'unchanged' }
    })
  }
}

function requireSense({ action, reason, until }: Act, now: number): void {
  if (action === 'message' && !reason) throw refusal(422, 'request.invalid.message').at('reason')
  if (until === undefined) return
  if (action !== 'ban') throw refusal(422, 'request.invalid.ban-only').at('until')
  if (Date.parse(until) <= now) throw refusal(422, 'request.invalid.ban-end').at('until')
}

const notNow = (status: 'starting' | 'stopping') =>
  refusal(409, status === 'starting' ? 'server.starting.moment' : 'server.stopping.moment')

const noName = (handle: string) => refusalText('players.name-unknown', { name: handle })
const unknownName = (handle: string) =>
  asUuid(handle) === null ? noName(handle) : refusalText('players.name-unknown.uuid')

const failed = (name: string, told: RefusalText): Result => ({ name, outcome: 'failed', error: toldOf(told) })

function resultOf(name: string, answer: ConsoleAnswer | null): Result {
  if (answer === null) return { name, outcome: 'unconfirmed' }
  if (answer.kind !== 'refused') return { name, outcome: answer.kind }
  return failed(name, refusalText('players.refused', { answer: answer.words }))
}

function nameOf(handle: string, world: WorldPlayers): string | null {
  return world.find(handle)?.name ?? (isPlayerName(handle) ? handle : null)
}

/** Null if the handle is neither a name nor a uuid. */
function targetOf(handle: string, world: WorldPlayers): Target | null {
  const name = nameOf(handle, world)
  const uuid = world.find(handle)?.uuid ?? asUuid(handle)
  return name === null && uuid === null ? null : { name, uuid }
}

/** An error message if unknown. Removing needs only the uuid or the name. */
function identify(handle: string, world: WorldPlayers, takesAway: boolean): PlayerIdentity | RefusalText {
  const player = world.find(handle)
  const name = player?.name ?? (isPlayerName(handle) ? handle : null)
  if (name === null && !(takesAway && player?.uuid)) {
    return asUuid(handle) === null
      ? refusalText('players.unknown.name', { name: handle })
      : refusalText('players.unknown.uuid')
  }
  const uuid = player?.uuid ?? (name === null ? null : world.uuidOf(name))
  if (uuid !== null) return { uuid, name: name ?? '' }
  if (takesAway && name !== null) return { uuid: '', name }
  const isSent = commandOf('op', handle, '') !== null
  return refusalText(isSent ? 'players.unknown' : 'players.unknown.join', { name: handle })
}
