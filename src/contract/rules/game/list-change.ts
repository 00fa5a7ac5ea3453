import type { PlayerAction } from '../../areas/players.ts'
import { entriesIn, type ListEntry, type ListName, listTime } from './list-entries.ts'
import { elementOf, elementsIn, listOf } from './list-text.ts'

export interface PlayerIdentity {
  uuid: string
  name: string
}

/** What is done to a list. */
export interface ListAct {
  action: Exclude<PlayerAction, 'kick' | 'message'>
  reason: string
  /** End of the ban, ms since 1970; null: permanent. */
  until: number | null
  now: number
  opLevel: number
}

/** The list that an act is about. */
export const ACT_LISTS: Readonly<Record<ListAct['action'], ListName>> = {
  ban: 'bans',
  pardon: 'bans',
  op: 'ops',
  deop: 'ops',
  'whitelist-add': 'whitelist',
  'whitelist-remove': 'whitelist',
}

/**
 * Changes the text of a list, one character per byte; null if nothing changes. `changed`: the others already were so.
 * Throws SyntaxError if it is no list.
 */
export function withListAct(
  bytes: string,
  act: ListAct,
  players: readonly PlayerIdentity[],
): { text: string | null; changed: Set<PlayerIdentity> } {
  const { list, changed } = changeList(readElements(bytes), act, players)
  return { text: changed.size === 0 ? null : listOf(list.map(({ written }) => written)), changed }
}

type ListElement = Pick<ListEntry, 'uuid' | 'name' | 'reason' | 'expires'> & { written: string }

function readElements(bytes: string): ListElement[] {
  if (bytes === '') return []
  const written = elementsIn(bytes)
  return entriesIn(bytes).map((entry, at) => ({ ...entry, written: written[at]! }))
}

/** Keeps all other entries byte for byte. */
function changeList(
  elements: readonly ListElement[],
  act: ListAct,
  players: readonly PlayerIdentity[],
): { list: readonly ListElement[]; changed: Set<PlayerIdentity> } {
  const changed = new Set<PlayerIdentity>()
  let list = [...elements]
  for (const player of players) {
    const isOf = (entry: ListElement) =>
      entry.uuid === null
        ? entry.name?.toLowerCase() === player.name.toLowerCase()
        : entry.uuid === player.uuid
    const there = list.find(isOf)
    switch (act.action) {
      case 'pardon':
      case 'deop':
      case 'whitelist-remove':
        if (!there) continue
        list = list.filter((entry) => !isOf(entry))
        break
      case 'op':
      case 'whitelist-add':
        if (there) continue
        list.push(elementFor(player, act))
        break
      case 'ban':
        if (there && there.expires === act.until && (act.reason === '' || there.reason === act.reason))
          continue
        list = [...list.filter((entry) => !isOf(entry)), elementFor(player, act)]
        break
    }
    changed.add(player)
  }
  return { list, changed }
}

const elementFor = ({ uuid, name }: PlayerIdentity, act: ListAct): ListElement => ({
  ...{ uuid, name, reason: null, expires: null },
  written: elementOf(entryOf({ uuid, name }, act)),
})

function entryOf({ uuid, name }: PlayerIdentity, { action, reason, until, now, opLevel }: ListAct) {
  switch (action) {
    case 'op':
      return { uuid, name, level: opLevel, bypassesPlayerLimit: false }
    case 'ban':
      return {
        ...{ uuid, name, created: listTime(new Date(now)), source: 'Server' },
        expires: until === null ? 'forever' : listTime(new Date(until)),
        reason: reason === '' ? 'Banned by an operator.' : reason,
      }
    default:
      return { uuid, name }
  }
}
