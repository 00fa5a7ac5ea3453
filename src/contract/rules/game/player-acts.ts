import type { PlayerActRequest, PlayerActResult } from '../../areas/players.ts'
import { refusalText, type RefusalText } from '../../messages/refusals/index.ts'
import { commandOf } from '../players/player-commands.ts'
import { isPlayerName } from '../players/player-names.ts'
import type { ConsoleAnswer } from './console-answers.ts'
import type { PlayerIdentity } from './list-change.ts'
import { asUuid } from './player-uuid.ts'

/** Who is known at a server. */
export interface PlayerBook {
  /** By uuid or name. */
  find(handle: string): { name: string | null; uuid: string | null } | null
  /** Where a uuid follows from the name; else null. */
  uuidOf(name: string): string | null
}

/** Why an act makes no sense, and its field. */
export function actFault({ action, reason, until }: PlayerActRequest, now: number) {
  if (action === 'message' && !reason)
    return { sentence: 'request.invalid.message', field: 'reason' } as const
  if (until === undefined) return null
  if (action !== 'ban') return { sentence: 'request.invalid.ban-only', field: 'until' } as const
  return Date.parse(until) <= now ? ({ sentence: 'request.invalid.ban-end', field: 'until' } as const) : null
}

/** Each name or uuid once. */
export const handlesOf = ({ names }: PlayerActRequest): string[] => [
  ...new Map(names.map((name) => [name.toLowerCase(), name])).values(),
]

export const playerName = (handle: string, book: PlayerBook): string | null =>
  book.find(handle)?.name ?? (isPlayerName(handle) ? handle : null)

/** The command for a player of a running server, or why there is none. */
export function playerCommand(
  { action, reason = '' }: PlayerActRequest,
  handle: string,
  book: PlayerBook,
): { name: string; command: string } | RefusalText {
  const name = playerName(handle, book)
  if (name === null)
    return asUuid(handle) === null ? noName(handle) : refusalText('players.name-unknown.uuid')
  const command = commandOf(action, name, reason)
  return command === null ? refusalText('players.name-unknown.command', { name }) : { name, command }
}

/** Who is put on a list of a stopped server, or why nobody is. Removing needs only the uuid or the name. */
export function identify(
  { action }: PlayerActRequest,
  handle: string,
  book: PlayerBook,
): PlayerIdentity | RefusalText {
  const takesAway = action === 'pardon' || action === 'deop' || action === 'whitelist-remove'
  const player = book.find(handle)
  const name = playerName(handle, book)
  if (name === null && !(takesAway && player?.uuid))
    return asUuid(handle) === null
      ? refusalText('players.unknown.name', { name: handle })
      : refusalText('players.unknown.uuid')
  const uuid = player?.uuid ?? (name === null ? null : book.uuidOf(name))
  if (uuid !== null) return { uuid, name: name ?? '' }
  if (takesAway && name !== null) return { uuid: '', name }
  const isSent = commandOf('op', handle, '') !== null
  return refusalText(isSent ? 'players.unknown' : 'players.unknown.join', { name: handle })
}

export const noName = (handle: string): RefusalText => refusalText('players.name-unknown', { name: handle })

export const failedAct = (name: string, told: RefusalText): PlayerActResult => ({
  ...{ name, outcome: 'failed' },
  error: { code: told.sentence.split('.').slice(0, 2).join('.'), ...told },
})

/** Null: nothing was read of what became of it. */
export function resultOf(name: string, answer: ConsoleAnswer | null): PlayerActResult {
  if (answer === null) return { name, outcome: 'unconfirmed' }
  if (answer.kind !== 'refused') return { name, outcome: answer.kind }
  return failedAct(name, refusalText('players.refused', { answer: answer.words }))
}
