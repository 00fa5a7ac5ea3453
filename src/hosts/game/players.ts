import type { PlayerActRequest, PlayerActResult } from '../../contract/areas/players.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import {
  answerReader,
  type AnswerReader,
  type ConsoleAnswer,
  whitelistReader,
} from '../../contract/rules/game/console-answers.ts'
import {
  ACT_LISTS,
  type ListAct,
  type PlayerIdentity,
  withListAct,
} from '../../contract/rules/game/list-change.ts'
import { LIST_BYTES, LIST_FILES } from '../../contract/rules/game/list-entries.ts'
import {
  actFault,
  failedAct,
  handlesOf,
  identify,
  type PlayerBook,
  playerCommand,
  resultOf,
} from '../../contract/rules/game/player-acts.ts'
import { javaBoolean, javaInt } from '../../contract/rules/java-values.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { readProperties } from '../../contract/rules/properties-text.ts'
import type { ManagementCalls } from '../../host/management/messages.ts'
import { actOnHandles, turnByManagement } from '../../host/management/player-acts.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { changeFile, type GameFiles } from './game-files.ts'
import { KnownPlayers } from './known-players.ts'
import type { Pulse } from './pulse.ts'
import { changeSettings, readSettings, SETTINGS } from './settings-file.ts'

/** For an answer to a command, ms; and once a command had none. */
const ANSWER_MS = 3000
const SILENT_MS = 250
const OP_LEVEL = 4

export interface CommandedGame {
  id: string
  files: GameFiles
  /** Of now. Throws where it isn't known. */
  state(caller: Caller): Promise<'online' | 'offline' | 'starting' | 'stopping'>
  /** Sends a command. Null where no answer came within `patience` ms. */
  ask(command: string, read: AnswerReader, patience: number, caller: Caller): Promise<ConsoleAnswer | null>
  /** Of a running server, tried before its console. */
  management?: ManagementCalls | null
  /** Who is known while it runs; without it, those in its files. */
  book?: PlayerBook
}

export interface Game extends CommandedGame {
  pulse(caller: Caller): Promise<Pulse>
}

/** Who is known at a server, and what is done to them: by commands while it runs, else in its files. */
export class GamePlayers {
  /** One act of a server at a time: answers must match their commands. */
  readonly #turns = new Lanes({ perLane: 1 })

  async list(game: Game, caller: Caller) {
    const [settings, pulse] = await Promise.all([readSettings(game.files, caller), game.pulse(caller)])
    const known = await KnownPlayers.read(game.files, settings.isOffline, caller)
    const { unreadable } = known
    return { items: known.views(pulse), nextCursor: null, ...(unreadable.length > 0 && { unreadable }) }
  }

  act(game: CommandedGame, act: PlayerActRequest, caller: Caller) {
    return this.#turns.run(game.id, async () => {
      const fault = actFault(act, Date.now())
      if (fault) throw new HostRefusal(422, refusalText(fault.sentence), { fields: { [fault.field]: [] } })
      const running = await isRunning(game, caller)
      if (running && game.book) return { results: await tellAll(game, act, game.book, caller), running }
      const { values, isOffline } = await readSettings(game.files, caller)
      const known = await KnownPlayers.read(game.files, isOffline, caller)
      if (running) return { results: await tellAll(game, act, known, caller), running }
      const opLevel = javaInt(values.get('op-permission-level') ?? '') ?? OP_LEVEL
      return { results: await write(game, act, { known, opLevel }, caller), running }
    })
  }

  async whitelist(game: Pick<CommandedGame, 'files'>, caller: Caller): Promise<boolean | null> {
    const { values, malformed, isUsable } = await readSettings(game.files, caller)
    return isUsable && malformed.size === 0 ? javaBoolean(values.get('white-list') ?? 'false') : null
  }

  turnWhitelist(game: CommandedGame, enabled: boolean, caller: Caller): Promise<void> {
    return this.#turns.run(game.id, async () => {
      if (!(await isRunning(game, caller)))
        return changeSettings(game.files, (text) => whitelistChange(text, enabled), caller)
      const turned = game.management && (await turnByManagement(game.management, enabled))
      if (turned === 'done') return
      if (turned === 'unconfirmed') throw hostRefusal(409, 'players.unconfirmed')
      const command = `whitelist ${enabled ? 'on' : 'off'}`
      const answer = await game.ask(command, whitelistReader(enabled), ANSWER_MS, caller)
      if (answer === null) throw hostRefusal(409, 'players.unconfirmed')
      if (answer.kind === 'refused') throw hostRefusal(409, 'players.refused', { answer: answer.words })
    })
  }
}

function whitelistChange(text: string, enabled: boolean): ReadonlyMap<string, string> {
  if (readProperties(text).malformed.size > 0)
    throw hostRefusal(409, 'players.settings-damaged', { file: SETTINGS })
  return new Map([['white-list', String(enabled)]])
}

/** While starting or stopping, a server takes no commands and owns its files. */
async function isRunning(game: CommandedGame, caller: Caller): Promise<boolean> {
  const state = await game.state(caller)
  if (state === 'starting') throw hostRefusal(409, 'server.starting.moment')
  if (state === 'stopping') throw hostRefusal(409, 'server.stopping.moment')
  return state === 'online'
}

async function tellAll(
  game: CommandedGame,
  act: PlayerActRequest,
  book: PlayerBook,
  caller: Caller,
): Promise<PlayerActResult[]> {
  const managed = game.management && (await actOnHandles(game.management, act, book, () => undefined))
  return managed?.results ?? tell(game, act, book, caller)
}

/** One command at a time, so that each answer belongs to its command. The first one's refusal is that of all. */
async function tell(
  game: CommandedGame,
  act: PlayerActRequest,
  known: PlayerBook,
  caller: Caller,
): Promise<PlayerActResult[]> {
  const handles = handlesOf(act)
  if (act.until) return handles.map((handle) => failedAct(handle, refusalText('host.ban-end')))
  const results: PlayerActResult[] = []
  let patience = ANSWER_MS
  let isFirst = true
  for (const handle of handles) {
    const told = playerCommand(act, handle, known)
    if ('sentence' in told) {
      results.push(failedAct(handle, told))
      continue
    }
    const reader = answerReader(act.action, told.name)
    const mustWork = isFirst
    isFirst = false
    const answer = caller.signal.aborted
      ? null
      : await game.ask(told.command, reader, patience, caller).catch((error: unknown) => {
          if (mustWork) throw error
          return null
        })
    if (answer === null) patience = SILENT_MS
    results.push(resultOf(handle, answer))
  }
  return results
}

async function write(
  game: CommandedGame,
  act: PlayerActRequest,
  { known, opLevel }: { known: KnownPlayers; opLevel: number },
  caller: Caller,
): Promise<PlayerActResult[]> {
  const { action, reason = '', until } = act
  const handles = handlesOf(act)
  if (action === 'kick' || action === 'message')
    return handles.map((handle) => failedAct(handle, refusalText('players.not-running')))
  const named = handles.map((handle) => ({ handle, player: identify(act, handle, known) }))
  const players = named.flatMap(({ player }) => ('sentence' in player ? [] : [player]))
  const listAct = {
    ...{ action, reason, until: until === undefined ? null : Date.parse(until) },
    ...{ now: Date.now(), opLevel },
  }
  const changed = await writeList(game.files, listAct, players, caller)
  // A server that was started meanwhile may have read the list before.
  const isSure = changed.size === 0 || !(await isRunning(game, caller).catch(() => true))
  return named.map(({ handle, player }) => {
    if ('sentence' in player) return failedAct(handle, player)
    if (!changed.has(player)) return { name: handle, outcome: 'unchanged' }
    return { name: handle, outcome: isSure ? 'done' : 'unconfirmed' }
  })
}

async function writeList(
  files: GameFiles,
  act: ListAct,
  players: readonly PlayerIdentity[],
  caller: Caller,
): Promise<Set<PlayerIdentity>> {
  const path = LIST_FILES[ACT_LISTS[act.action]]
  const damaged = () => hostRefusal(409, 'players.list-damaged', { file: path })
  let changed = new Set<PlayerIdentity>()
  const change = (bytes: Buffer | null) => {
    try {
      const next = withListAct(bytes?.toString('latin1') ?? '', act, players)
      changed = next.changed
      return next.text === null ? null : Buffer.from(next.text, 'latin1')
    } catch (error) {
      throw error instanceof SyntaxError ? damaged() : error
    }
  }
  await changeFile(files, { path, most: LIST_BYTES, damaged }, change, caller)
  return changed
}
