import type { PlayerAction } from '../../../contract/areas/players.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../refusal.ts'
import { entriesIn, LIST_BYTES, LIST_FILES, type ListEntry, type ListName } from '../../worlds/known-lists.ts'
import { listTime } from '../../worlds/player-lists.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changeStopped } from './change-stopped.ts'

/** Whom something is done with. */
export interface Named {
  uuid: string
  name: string
}

export interface FileAct {
  action: Exclude<PlayerAction, 'kick' | 'message'>
  reason: string
  /** When a ban ends; null where it does not. In ms since 1970. */
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
 * Changes a list of a server that does not run, as `changeStopped` does. Answers who was changed; the others were so
 * already. Throws Refusal 409 `players.list-damaged`, `players.file-full`, `server.running`.
 */
export async function actByFiles(
  files: ServerFiles,
  act: FileAct,
  players: readonly Named[],
  checkAgain: () => void,
): Promise<Set<Named>> {
  const file = LIST_FILES[LISTS[act.action]]
  let changed = new Set<Named>()
  const change = (text: string) => {
    const next = changeList(readEntries(file, text), act, players)
    changed = next.changed
    return changed.size === 0 ? null : JSON.stringify(next.list, null, 2)
  }
  try {
    await changeStopped(files, { file, most: LIST_BYTES, encoding: 'utf8' }, change, checkAgain)
  } catch (error) {
    throw error instanceof UnusableFile ? damaged(file) : error
  }
  return changed
}

function readEntries(file: string, text: string): ListEntry[] {
  try {
    return entriesIn(text)
  } catch {
    throw damaged(file)
  }
}

const damaged = (file: string) => refusal(409, 'players.list-damaged', { file })

/** The list as it is to be, everything else in it as it stood. */
function changeList(
  entries: readonly ListEntry[],
  act: FileAct,
  players: readonly Named[],
): { list: unknown[]; changed: Set<Named> } {
  const changed = new Set<Named>()
  let list = [...entries]
  for (const player of players) {
    const isOf = (entry: ListEntry) =>
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
        list.push(asEntry(entryOf(player, act)))
        break
      case 'ban':
        if (there && there.expires === act.until && (act.reason === '' || there.reason === act.reason))
          continue
        list = [...list.filter((entry) => !isOf(entry)), asEntry(entryOf(player, act))]
        break
    }
    changed.add(player)
  }
  return { list: list.map(({ raw }) => raw), changed }
}

const asEntry = (raw: Record<string, unknown>): ListEntry => ({
  ...{ uuid: String(raw['uuid']), name: String(raw['name']), raw },
  ...{ reason: null, created: null, expires: null },
})

/** An entry as Minecraft writes it. */
function entryOf({ uuid, name }: Named, { action, reason, until, now, opLevel }: FileAct) {
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
