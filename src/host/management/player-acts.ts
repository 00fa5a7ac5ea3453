import { refusalText } from '../../contract/messages/refusals/index.ts'
import { toldOf, type RefusalReport } from '../refusal.ts'
import type { z } from 'zod'
import type { PlayerAct, PlayerAction, PlayerActResult, PlayerResult } from '../../contract/areas/players.ts'
import {
  failedAct,
  handlesOf,
  noName,
  type PlayerBook,
  playerName,
} from '../../contract/rules/game/player-acts.ts'
import { asUuid } from '../../contract/rules/game/player-uuid.ts'
import {
  type ManagementCalls,
  METHODS,
  RpcList,
  type RpcListEntry,
  type RpcOutcome,
  type RpcPlayer,
  RpcPlayers,
} from './messages.ts'

/** Timeout of a change, in ms: the server may have to look up players at Mojang. */
const CHANGE_MS = 10_000

type Act = z.output<typeof PlayerAct>

export interface ManagedResult {
  outcome: z.input<typeof PlayerResult>['outcome']
  uuid: string | null
  error?: RefusalReport
}

export interface Target {
  name: string | null
  uuid: string | null
}

const LISTS: Readonly<
  Record<Exclude<PlayerAction, 'kick' | 'message'>, { list: string; way: 'add' | 'remove' }>
> = {
  ban: { list: METHODS.bans, way: 'add' },
  pardon: { list: METHODS.bans, way: 'remove' },
  op: { list: METHODS.operators, way: 'add' },
  deop: { list: METHODS.operators, way: 'remove' },
  'whitelist-add': { list: METHODS.allowlist, way: 'add' },
  'whitelist-remove': { list: METHODS.allowlist, way: 'remove' },
}

/** One result for each handle, in order, and those of who was acted on. Null as below. */
export async function actOnHandles(
  link: ManagementCalls,
  act: Act,
  book: PlayerBook,
  checkAgain: () => void,
): Promise<{ results: PlayerActResult[]; done: ManagedResult[] } | null> {
  const named = handlesOf(act).map((handle) => ({ handle, target: targetOf(handle, book) }))
  const targets = named.flatMap(({ target }) => target ?? [])
  const done = await actByManagement(link, act, targets, checkAgain)
  if (!done) return null
  const results = named.map(({ handle, target }): PlayerActResult => {
    if (target === null) return failedAct(handle, noName(handle))
    const { outcome, error } = done[targets.indexOf(target)]!
    return { name: handle, outcome, ...(error ? { error } : {}) }
  })
  return { results, done }
}

/** Null if the handle is neither a name nor a uuid. */
function targetOf(handle: string, book: PlayerBook): Target | null {
  const name = playerName(handle, book)
  const uuid = book.find(handle)?.uuid ?? asUuid(handle)
  return name === null && uuid === null ? null : { name, uuid }
}

/**
 * Acts through the management protocol. Null if nothing was done and the console must be used: the protocol is
 * unavailable or lacks the call. A lost answer makes everyone `unconfirmed`.
 */
export async function actByManagement(
  link: ManagementCalls,
  act: Act,
  targets: readonly Target[],
  checkAgain: () => void,
): Promise<ManagedResult[] | null> {
  if (targets.length === 0) return []
  if (act.action === 'kick' || act.action === 'message') return tellPresent(link, act, targets, checkAgain)
  return changeList(link, { ...act, action: act.action }, targets, checkAgain)
}

/** Null as above; `unconfirmed` if the answer is lost. */
export async function turnByManagement(
  link: ManagementCalls,
  enabled: boolean,
): Promise<'done' | 'unconfirmed' | null> {
  const called = await link.call(METHODS.useAllowlist, [enabled], CHANGE_MS)
  if (isUntouched(called)) return null
  return called.kind === 'answered' && called.result === enabled ? 'done' : 'unconfirmed'
}

/** The server silently ignores players who are offline, and reports success. */
async function tellPresent(
  link: ManagementCalls,
  { action, reason = '' }: Act,
  targets: readonly Target[],
  checkAgain: () => void,
): Promise<ManagedResult[] | null> {
  const present = readPlayers(await link.call(METHODS.players, []))
  if (!present) return null
  const there = targets.filter((target) => present.some((player) => isOf(player, target)))
  const away: ManagedResult = {
    outcome: 'failed',
    uuid: null,
    error: toldOf(refusalText('players.refused.away')),
  }
  if (there.length === 0) return targets.map(() => away)
  checkAgain()
  const called =
    action === 'kick'
      ? await link.call(METHODS.kick, [there.map((player) => kickOf(player, reason))], CHANGE_MS)
      : await link.call(METHODS.message, [messageTo(there, reason)], CHANGE_MS)
  if (isUntouched(called)) return null
  const kicked = action === 'kick' ? readPlayers(called) : null
  const isSaid = action === 'message' && called.kind === 'answered' && called.result === true
  return targets.map((target) => {
    if (!there.includes(target)) return away
    if (isSaid) return { outcome: 'done', uuid: null }
    if (!kicked) return { outcome: 'unconfirmed', uuid: null }
    return kicked.some((player) => isOf(player, target)) ? { outcome: 'done', uuid: null } : away
  })
}

/** By name where known, like its commands; else by uuid. */
const nameTo = ({ name, uuid }: Target) => (name === null ? { id: uuid } : { name })

const kickOf = (target: Target, reason: string) => {
  const player = nameTo(target)
  return reason === '' ? { player } : { player, message: { literal: reason } }
}

/** Shown verbatim, so mark it as the server's: it must not look like another player's message. */
const messageTo = (targets: readonly Target[], text: string) => ({
  message: { literal: `[Server] ${text}` },
  overlay: false,
  receivingPlayers: targets.map(nameTo),
})

async function changeList(
  link: ManagementCalls,
  act: Act & { action: keyof typeof LISTS },
  targets: readonly Target[],
  checkAgain: () => void,
): Promise<ManagedResult[] | null> {
  const { list, way } = LISTS[act.action]
  const before = readList(await link.call(list, []))
  if (!before) return null
  const asked = targets.filter((target) => !isSo(act, entryOf(before, target), target))
  let after: readonly RpcListEntry[] | null = before
  if (asked.length > 0) {
    checkAgain()
    const called = await link.call(`${list}/${way}`, [asked.map((target) => sentOf(act, target))], CHANGE_MS)
    if (isUntouched(called)) return null
    after = readList(called)
  }
  return targets.map((target) => {
    if (!asked.includes(target))
      return { outcome: 'unchanged', uuid: entryOf(before, target)?.player.id ?? null }
    if (!after) return { outcome: 'unconfirmed', uuid: null }
    return resultOf(act, entryOf(before, target), entryOf(after, target))
  })
}

function isSo(
  act: Act & { action: keyof typeof LISTS },
  entry: RpcListEntry | undefined,
  { uuid }: Target,
): boolean {
  if (LISTS[act.action].way === 'remove') return entry === undefined
  // May be an earlier owner of the name.
  if (uuid !== null && entry?.player.id && entry.player.id !== uuid) return false
  if (entry === undefined || act.action !== 'ban') return entry !== undefined
  return isEnd(entry, act.until) && (!act.reason || act.reason === entry.reason)
}

/** Minecraft stores ban ends in whole seconds. */
const isEnd = ({ expires }: RpcListEntry, until: string | undefined): boolean =>
  until === undefined ? expires === null : expires !== null && Math.abs(expires - Date.parse(until)) < 1000

function sentOf({ action, reason, until }: Act, target: Target): unknown {
  const player = nameTo(target)
  if (action === 'op') return { player }
  if (action !== 'ban') return player
  return {
    player,
    ...(reason ? { reason } : {}),
    ...(until === undefined ? {} : { expires: new Date(until).toISOString() }),
  }
}

function resultOf(
  act: Act & { action: keyof typeof LISTS },
  before: RpcListEntry | undefined,
  after: RpcListEntry | undefined,
): ManagedResult {
  const uuid = (after ?? before)?.player.id ?? null
  if (LISTS[act.action].way === 'remove')
    return after
      ? { outcome: 'failed', uuid, error: toldOf(refusalText('players.refused.stayed')) }
      : { outcome: 'done', uuid }
  if (!after) return { outcome: 'failed', uuid, error: toldOf(refusalText('players.refused.not-found')) }
  if (act.action === 'ban' && !isEnd(after, act.until))
    return { outcome: 'done', uuid, error: toldOf(refusalText('players.no-end.other')) }
  return { outcome: 'done', uuid }
}

/** Whether certainly nothing was done. */
const isUntouched = (called: RpcOutcome): boolean =>
  called.kind === 'unsent' || (called.kind === 'refused' && called.untouched)

const readPlayers = (called: RpcOutcome): RpcPlayer[] | null =>
  called.kind === 'answered' ? (RpcPlayers.safeParse(called.result).data ?? null) : null

const readList = (called: RpcOutcome): RpcListEntry[] | null =>
  called.kind === 'answered' ? (RpcList.safeParse(called.result).data ?? null) : null

const entryOf = (list: readonly RpcListEntry[], target: Target): RpcListEntry | undefined =>
  list.find(({ player }) => isUuidOf(player, target)) ?? list.find(({ player }) => isNameOf(player, target))

/** The uuid finds renamed players; the name finds those with another uuid here. */
const isOf = (player: RpcPlayer, target: Target): boolean =>
  isUuidOf(player, target) || isNameOf(player, target)

const isUuidOf = ({ id }: RpcPlayer, { uuid }: Target): boolean => uuid !== null && id === uuid

const isNameOf = ({ name }: RpcPlayer, target: Target): boolean =>
  target.name !== null && name?.toLowerCase() === target.name.toLowerCase()
