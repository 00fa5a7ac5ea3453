import type { z } from 'zod'
import {
  type Player,
  PLAYERS_MOST,
  UNREADABLE_LISTS,
  type UnreadableList,
} from '../../../contract/areas/players.ts'
import { isOfflineName } from '../../../contract/rules/players/player-names.ts'
import { isoTime } from '../../base/clock.ts'
import { Yielder } from '../../../host/yield.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import type { SeenPlayer, TimedBan } from '../../store/players.ts'
import { type ListEntry, timeIn } from '../../../contract/rules/game/list-entries.ts'
import type { KnownLists } from '../../worlds/known-lists.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import { readWorldSettings, type WorldSettings } from '../../worlds/server-properties.ts'
import { dataFolders, type PlayerFile, playerFilesIn } from './player-folders.ts'

/** Times in ms since 1970. */
interface KnownPlayer {
  name: string | null
  uuid: string | null
  online: boolean
  onlineSince: number | null
  firstSeen: number | null
  lastSeen: number | null
  op: boolean
  whitelisted: boolean
  ban: { reason: string | null; since: number | null; until: number | null } | null
}

interface PlayerContext {
  seen: readonly SeenPlayer[]
  online: readonly string[]
  onSince: ReadonlyMap<string, number>
  timedBans: readonly TimedBan[]
  /** The software runs without authentication, whatever the settings say. */
  isOffline: boolean
  now: number
}

/** Lifetime of a cache entry in ms: `expires` minus this is when the player was last there. */
const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export class WorldPlayers {
  readonly settings: WorldSettings
  readonly #isOffline: boolean
  /** Unreadable lists may contain players not named here. */
  readonly unreadable: readonly UnreadableList[]
  readonly #all = new Set<KnownPlayer>()
  readonly #byUuid = new Map<string, KnownPlayer>()
  readonly #byName = new Map<string, KnownPlayer>()

  private constructor(settings: WorldSettings, isOffline: boolean, unreadable: UnreadableList[]) {
    this.settings = settings
    this.#isOffline = isOffline
    this.unreadable = unreadable
  }

  static async read(files: ServerFiles, known: KnownLists, beside: PlayerContext): Promise<WorldPlayers> {
    const settings = await readWorldSettings(files)
    const [usercache, ops, whitelist, bans, data] = await Promise.all([
      known.read(files, 'cache'),
      known.read(files, 'ops'),
      known.read(files, 'whitelist'),
      known.read(files, 'bans'),
      playerFilesIn(files, dataFolders(settings.level), '.dat'),
    ])
    const lists = { whitelist, ops, bans, usercache }
    const unreadable = UNREADABLE_LISTS.filter((name) => lists[name].kind !== 'read' || !lists[name].isWhole)
    const world = new WorldPlayers(settings, beside.isOffline || !settings.onlineMode, unreadable)
    const yielder = new Yielder()
    world.#takeCache(usercache.entries)
    await yielder.next()
    for (const entry of ops.entries) world.#ofEntry(entry, (player) => (player.op = true))
    for (const entry of whitelist.entries) world.#ofEntry(entry, (player) => (player.whitelisted = true))
    world.#takeBans(bans.entries, beside)
    await yielder.next()
    world.#takeSeen(beside.seen)
    await yielder.next()
    world.#takeFiles(data)
    for (const name of beside.online)
      Object.assign(world.#called(name), { online: true, onlineSince: beside.onSince.get(name) ?? null })
    // What is done with all of them needs a round of its own.
    await yielder.turn()
    return world
  }

  find(handle: string): KnownPlayer | null {
    return this.#byUuid.get(handle.toLowerCase()) ?? this.#byName.get(handle.toLowerCase()) ?? null
  }

  /** Offline UUID; null if not applicable. */
  uuidOf(name: string): string | null {
    return this.#isOffline && isOfflineName(name) ? offlineUuid(name) : null
  }

  all(): { key: string; item: KnownPlayer }[] {
    let all = [...this.#all]
    if (all.length > PLAYERS_MOST) {
      const rank = (player: KnownPlayer) => (player.online ? Infinity : (player.lastSeen ?? 0))
      all = all.sort((a, b) => rank(b) - rank(a)).slice(0, PLAYERS_MOST)
    }
    return all.map((player) => ({ key: keyOf(player), item: player }))
  }

  /** Names change owners, so the newest entry wins. */
  #takeCache(entries: readonly ListEntry[]): void {
    const oldestFirst = [...entries].sort((a, b) => (a.expires ?? 0) - (b.expires ?? 0))
    for (const entry of oldestFirst) {
      this.#ofEntry(entry, (player) => {
        player.name = entry.name ?? player.name
        if (entry.name !== null) this.#byName.set(entry.name.toLowerCase(), player)
        if (entry.expires !== null) player.lastSeen = entry.expires - MONTH_MS
      })
    }
  }

  #takeBans(entries: readonly ListEntry[], { timedBans, now }: PlayerContext): void {
    const timed = new Map(timedBans.map((ban) => [ban.uuid, ban]))
    for (const entry of entries) {
      const kept = timed.get(entry.uuid ?? '')
      const until = entry.expires ?? (kept?.created === entry.created ? kept.endsAt : null)
      if (entry.expires !== null && entry.expires <= now) continue
      const since = timeIn(entry.created)
      this.#ofEntry(entry, (player) => (player.ban = { reason: entry.reason, since, until }))
    }
  }

  #takeSeen(seen: readonly SeenPlayer[]): void {
    for (const { name, uuid, firstSeen, lastSeen } of seen) {
      const player = uuid === null ? this.#called(name) : this.#withUuid(uuid)
      player.name ??= name
      this.#byName.set(name.toLowerCase(), this.#byName.get(name.toLowerCase()) ?? player)
      player.firstSeen = Math.min(player.firstSeen ?? firstSeen, firstSeen)
      player.lastSeen = Math.max(player.lastSeen ?? lastSeen, lastSeen)
    }
  }

  #takeFiles(found: readonly PlayerFile[]): void {
    for (const { uuid, name, modifiedAt, madeAt } of found) {
      const player = uuid === null ? this.#called(name ?? '') : this.#withUuid(uuid)
      // The file is rewritten while its player is online.
      player.lastSeen = Math.max(player.lastSeen ?? modifiedAt, modifiedAt)
      if (madeAt !== null) player.firstSeen = Math.min(player.firstSeen ?? madeAt, madeAt)
    }
  }

  #ofEntry({ uuid, name }: ListEntry, change: (player: KnownPlayer) => unknown): void {
    if (uuid === null && name === null) return
    const player = uuid === null ? this.#called(name!) : this.#withUuid(uuid)
    player.name ??= name
    if (name !== null && !this.#byName.has(name.toLowerCase())) this.#byName.set(name.toLowerCase(), player)
    change(player)
  }

  #withUuid(uuid: string): KnownPlayer {
    return this.#byUuid.get(uuid) ?? this.#add({ uuid, name: null })
  }

  /** Owner of a name according to the files, else derived. */
  #called(name: string): KnownPlayer {
    const known = this.#byName.get(name.toLowerCase())
    if (known) return known
    const uuid = this.uuidOf(name)
    const player = (uuid === null ? null : this.#byUuid.get(uuid)) ?? this.#add({ uuid, name })
    player.name ??= name
    this.#byName.set(name.toLowerCase(), player)
    return player
  }

  #add({ uuid, name }: Pick<KnownPlayer, 'uuid' | 'name'>): KnownPlayer {
    const player: KnownPlayer = {
      ...{ uuid, name, online: false, onlineSince: null, firstSeen: null, lastSeen: null },
      ...{ op: false, whitelisted: false, ban: null },
    }
    this.#all.add(player)
    if (uuid !== null) this.#byUuid.set(uuid, player)
    return player
  }
}

export const keyOf = ({ name, uuid }: Pick<KnownPlayer, 'name' | 'uuid'>): string =>
  `${(name ?? uuid ?? '').toLowerCase()} ${uuid ?? ''}`

/** Null outside of the calendar's range. */
const timeOf = (ms: number | null): string | null =>
  ms !== null && ms > 0 && ms < 8e15 ? isoTime(Math.floor(ms)) : null

/** List membership is null for unreadable lists, unless a readable entry names the player. */
export function playerView(
  player: KnownPlayer,
  unreadable: readonly UnreadableList[],
): z.input<typeof Player> {
  const { name, uuid, online, onlineSince, firstSeen, lastSeen, op, whitelisted, ban } = player
  const isOn = (list: UnreadableList, named: boolean) => named || (unreadable.includes(list) ? null : false)
  return {
    name: name ?? uuid ?? '',
    uuid,
    online,
    onlineSince: timeOf(onlineSince),
    firstSeen: timeOf(firstSeen),
    lastSeen: timeOf(lastSeen),
    op: isOn('ops', op),
    whitelisted: isOn('whitelist', whitelisted),
    banned: ban && { reason: ban.reason, since: timeOf(ban.since), until: timeOf(ban.until) },
  }
}
