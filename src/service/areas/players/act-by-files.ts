import type { PlayerAction } from '../../../contract/areas/players.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../base/refusal.ts'
import { entriesIn, LIST_BYTES, LIST_FILES, type ListEntry, type ListName } from '../../worlds/known-lists.ts'
import { elementOf, elementsIn, listOf } from '../../worlds/list-text.ts'
import { listTime } from '../../worlds/player-lists.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changeStopped } from './change-stopped.ts'

export interface PlayerIdentity {
  uuid: string
  name: string
}

interface FileAct {
  action: Exclude<PlayerAction, 'kick' | 'message'>
  reason: string
  /** End of the ban, ms since 1970; null: permanent. */
  until: number | null
  now: number
  opLevel: number
}

const LISTS: Readonly<Record<FileAct['action'], ListName>> = {
  ban: 'bans',
  pardon: 'bans',
  op: 'ops',
  deop: 'ops',
  'whitelist-add': 'whitelist',
  'whitelist-remove': 'whitelist',
}

/**
 * Edits a list of a stopped server. Returns those who were changed; the others already were. Throws Refusal 409
 * `players.list-damaged`, `players.file-full`, `server.running`.
 */
export async function actByFiles(
  files: ServerFiles,
  act: FileAct,
  players: readonly PlayerIdentity[],
  checkAgain: () => void,
): Promise<Set<PlayerIdentity>> {
  const file = LIST_FILES[LISTS[act.action]]
  let changed = new Set<PlayerIdentity>()
  const change = (bytes: string) => {
    const next = changeList(readElements(file, bytes), act, players)
    changed = next.changed
    return changed.size === 0 ? null : listOf(next.list.map(({ written }) => written))
  }
  try {
    await changeStopped(files, { file, most: LIST_BYTES, encoding: 'latin1' }, change, checkAgain)
  } catch (error) {
    throw error instanceof UnusableFile ? damaged(file) : error
  }
  return changed
}

type ListElement = Pick<ListEntry, 'uuid' | 'name' | 'reason' | 'expires'> & { written: string }

function readElements(file: string, bytes: string): ListElement[] {
  if (bytes === '') return []
  try {
    const written = elementsIn(bytes)
    return entriesIn(bytes).map((entry, at) => ({ ...entry, written: written[at]! }))
  } catch {
    throw damaged(file)
  }
}

const damaged = (file: string) => refusal(409, 'players.list-damaged', { file })

/** Keeps all other entries byte for byte. */
function changeList(
  elements: readonly ListElement[],
  act: FileAct,
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

const elementFor = ({ uuid, name }: PlayerIdentity, act: FileAct): ListElement => ({
  ...{ uuid, name, reason: null, expires: null },
  written: elementOf(entryOf({ uuid, name }, act)),
})

function entryOf({ uuid, name }: PlayerIdentity, { action, reason, until, now, opLevel }: FileAct) {
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
