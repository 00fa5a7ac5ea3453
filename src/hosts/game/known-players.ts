import type { z } from 'zod'
import { type Player, PLAYERS_MOST, type UnreadableList } from '../../contract/areas/players.ts'
import {
  entriesIn,
  LIST_BYTES,
  LIST_FILES,
  type ListEntry,
  timeIn,
} from '../../contract/rules/game/list-entries.ts'
import { asUuid } from '../../contract/rules/game/player-uuid.ts'
import { isOfflineName } from '../../contract/rules/players/player-names.ts'
import { offlineUuid } from '../../host/offline-uuid.ts'
import type { Caller } from '../base/body.ts'
import { type GameFiles, UNUSABLE } from './game-files.ts'
import type { Pulse } from './pulse.ts'

const FILES: Readonly<Record<UnreadableList, string>> = {
  usercache: LIST_FILES.cache,
  ops: LIST_FILES.ops,
  whitelist: LIST_FILES.whitelist,
  bans: LIST_FILES.bans,
}
const NAMES = Object.keys(FILES) as UnreadableList[]

/** Null: it is there, but isn't a list. */
type Lists = Record<UnreadableList, readonly ListEntry[] | null>
type PlayerView = z.input<typeof Player>

export interface KnownPlayer {
  name: string | null
  uuid: string | null
  op: boolean
  whitelisted: boolean
  ban: ListEntry | null
}

/** Who was on a server or is on one of its lists, by its files. */
export class KnownPlayers {
  readonly #lists: Lists
  readonly #isOffline: boolean
  readonly #all = new Set<KnownPlayer>()
  readonly #byUuid = new Map<string, KnownPlayer>()
  readonly #byName = new Map<string, KnownPlayer>()

  private constructor(lists: Lists, isOffline: boolean) {
    this.#lists = lists
    this.#isOffline = isOffline
    // Names change owners, so the newest entry wins.
    const oldestFirst = [...(lists.usercache ?? [])].sort((a, b) => (a.expires ?? 0) - (b.expires ?? 0))
    for (const entry of oldestFirst) {
      const player = this.#of(entry)
      if (entry.name === null || !player) continue
      player.name = entry.name
      this.#byName.set(entry.name.toLowerCase(), player)
    }
    for (const entry of lists.ops ?? []) Object.assign(this.#of(entry) ?? {}, { op: true })
    for (const entry of lists.whitelist ?? []) Object.assign(this.#of(entry) ?? {}, { whitelisted: true })
    for (const entry of lists.bans ?? [])
      if (entry.expires === null || entry.expires > Date.now())
        Object.assign(this.#of(entry) ?? {}, { ban: entry })
  }

  /** `isOffline`: the server lets in whoever gives a name. */
  static async read(files: GameFiles, isOffline: boolean, caller: Caller): Promise<KnownPlayers> {
    const read = await Promise.all(NAMES.map((name) => readList(files, FILES[name], caller)))
    const lists = Object.fromEntries(NAMES.map((name, at) => [name, read[at] ?? null])) as Lists
    return new KnownPlayers(lists, isOffline)
  }

  get unreadable(): UnreadableList[] {
    return NAMES.filter((name) => this.#lists[name] === null)
  }

  find(handle: string): KnownPlayer | null {
    return this.#byUuid.get(handle.toLowerCase()) ?? this.#byName.get(handle.toLowerCase()) ?? null
  }

  uuidOf(name: string): string | null {
    return this.#isOffline && isOfflineName(name) ? offlineUuid(name) : null
  }

  /** With those who are on as far as the port tells. */
  views(pulse: Pulse): PlayerView[] {
    const online = new Set<KnownPlayer | null>(
      pulse.names.map(
        ({ id, name }) => this.find(id) ?? this.find(name) ?? this.#of({ uuid: asUuid(id), name }),
      ),
    )
    const unseen = onlineIfUnseen(pulse)
    return [...this.#all]
      .slice(-PLAYERS_MOST)
      .map((player) => this.#view(player, online.has(player) || unseen))
  }

  #view({ name, uuid, op, whitelisted, ban }: KnownPlayer, online: boolean | null): PlayerView {
    const isOn = (list: UnreadableList, named: boolean) => named || (this.#lists[list] ? false : null)
    return {
      ...{ name: name ?? uuid ?? '', uuid, online },
      ...{ op: isOn('ops', op), whitelisted: isOn('whitelist', whitelisted) },
      banned: ban && {
        ...{ reason: ban.reason, since: isoTime(timeIn(ban.created)), until: isoTime(ban.expires) },
      },
    }
  }

  #of({ uuid, name }: Pick<ListEntry, 'uuid' | 'name'>): KnownPlayer | null {
    if (uuid === null && name === null) return null
    const key = name?.toLowerCase()
    let player = uuid === null ? this.#byName.get(key!) : this.#byUuid.get(uuid)
    if (!player) {
      player = { name: null, uuid, op: false, whitelisted: false, ban: null }
      this.#all.add(player)
      if (uuid !== null) this.#byUuid.set(uuid, player)
    }
    player.name ??= name
    if (key !== undefined && !this.#byName.has(key)) this.#byName.set(key, player)
    return player
  }
}

async function readList(files: GameFiles, path: string, caller: Caller): Promise<ListEntry[] | null> {
  const bytes = await files.read(path, LIST_BYTES, caller)
  if (bytes === null) return []
  if (bytes === UNUSABLE) return null
  try {
    return entriesIn(bytes.toString('latin1'))
  } catch {
    return null
  }
}

/** A port names some of those who are there: of the others it is known only if it named all. */
const onlineIfUnseen = ({ state, players, names }: Pulse): boolean | null =>
  state === 'offline' || (state === 'online' && players !== null && names.length >= players.online)
    ? false
    : null

/** Null outside of the calendar's range. */
const isoTime = (ms: number | null): string | null =>
  ms !== null && ms > 0 && ms < 8e15 ? new Date(ms).toISOString() : null
