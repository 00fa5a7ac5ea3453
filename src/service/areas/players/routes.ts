import type { Logger } from 'pino'
import type { z } from 'zod'
import { players, PLAYERS_MOST, type PlayerStats, SESSIONS_MOST } from '../../../contract/areas/players.ts'
import { isoTime, type Clock } from '../../base/clock.ts'
import { Yielder } from '../../../host/yield.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { Managements } from '../../management/managements.ts'
import { refusal, type Refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { requireWorld } from '../../software/software.ts'
import type { SessionPosition } from '../../store/players.ts'
import type { Store } from '../../store/store.ts'
import { summaryOf } from '../../worlds/player-stats.ts'
import { readWorldSettings } from '../../worlds/server-properties.ts'
import { asUuid } from '../../../contract/rules/game/player-uuid.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { BanEnds, type BanEndsPorts } from './ban-ends.ts'
import { LogImport } from './log-import.ts'
import { PlayerActs } from './player-acts.ts'
import { ServerPlayers } from './server-players.ts'
import { SessionRecorder } from './session-recorder.ts'
import type { PlayerStatistics } from './stats-reader.ts'
import { keyOf, playerView, type WorldPlayers } from './world-players.ts'

const PAGE = 200

interface PlayerRoutes {
  all: AllServerFiles
  runtime: Runtime
  store: Pick<Store, 'players' | 'inOneStep'>
  clock: Clock
  log: Logger
  managements: Pick<Managements, 'of'>
  lifted: BanEndsPorts['lifted']
}

interface RunningPlayers {
  forget(serverId: string): void
  close(): Promise<void>
}

export function mountPlayers(app: ServiceApp, ports: PlayerRoutes): RunningPlayers {
  const { runtime, store, clock, log, all, managements, lifted } = ports
  const recorder = new SessionRecorder(store, runtime, clock, log)
  const known = new ServerPlayers({ all, runtime, store, clock, recorder })
  const acts = new PlayerActs({ players: known, runtime, store, clock, managements })
  const bans = new BanEnds({ store, players: known, acts, clock, log, lifted })
  const logs = new LogImport({ store, runtime, log })

  serve(app, players.list, async ({ server, query }) => {
    const world = await known.read(server.id)
    const { items, nextCursor } = pageOf(world.all(), query)
    const { unreadable } = world
    return {
      ...{ items: items.map((one) => playerView(one, unreadable)), nextCursor },
      ...(unreadable.length > 0 && { unreadable }),
    }
  })

  serve(app, players.stats, async ({ server, query }) => {
    const world = await known.read(server.id)
    const { uuid } = query
    if (uuid !== undefined) return await statsOfOne(known, server.id, world, uuid)
    const found = await known.stats(server.id).all(known.files(server.id), world.settings.level)
    // Concurrent requests get the same answer at the same moment.
    await new Yielder().turn()
    const all = found.map((one) => ({ key: keyOf(nameIn(one, world)), item: one }))
    const { items, nextCursor } = pageOf(all, query)
    return { items: items.map((one) => statsView(one, world)), nextCursor }
  })

  serve(app, players.sessions, async ({ server, query }) => {
    await logs.read(server.id, known.files(server.id))
    const world = await known.read(server.id)
    const limit = query.limit ?? PAGE
    const after = query.cursor === undefined ? NEWEST : placeIn(query.cursor)
    const name = query.uuid === undefined ? undefined : (world.find(query.uuid)?.name ?? query.uuid)
    const rows = store.players.sessions(server.id, after, Math.min(limit, SESSIONS_MOST) + 1, name)
    const last = rows[limit - 1]
    return {
      items: rows.slice(0, limit).map((row) => ({
        name: row.name,
        uuid: world.find(row.name)?.uuid ?? null,
        joinedAt: isoTime(row.joinedAt),
        leftAt: row.open ? null : isoTime(row.seenAt),
      })),
      nextCursor: rows.length > limit && last ? toCursor(`${last.joinedAt} ${last.name}`) : null,
    }
  })

  serve(app, players.act, ({ server, body, checkAgain, signal }) => {
    requireWorld(runtime.software(server.softwareId))
    return acts.perform(server.id, { act: body, checkAgain, signal })
  })

  serve(app, players.whitelist, async ({ server }) => {
    const { whitelist } = await readWorldSettings(known.files(server.id))
    return { enabled: whitelist }
  })

  serve(app, players.turnWhitelist, async ({ server, body, checkAgain }) => {
    requireWorld(runtime.software(server.softwareId))
    await acts.turnWhitelist(server.id, body.enabled, checkAgain)
    return { enabled: body.enabled }
  })

  return {
    forget: (serverId) => known.forget(serverId),
    async close() {
      await bans.close()
      recorder.close()
    },
  }
}

function nameIn({ uuid, name }: PlayerStatistics, world: WorldPlayers) {
  const player = world.find(uuid ?? name ?? '')
  return { uuid: uuid ?? player?.uuid ?? null, name: player?.name ?? name }
}

function statsView(one: PlayerStatistics, world: WorldPlayers): z.input<typeof PlayerStats> {
  const { uuid, name } = nameIn(one, world)
  return { name: name ?? uuid ?? '', uuid, ...one.summary }
}

async function statsOfOne(known: ServerPlayers, serverId: string, world: WorldPlayers, handle: string) {
  const uuid = asUuid(handle) ?? world.find(handle)?.uuid
  const { level } = world.settings
  const files = known.files(serverId)
  const groups = uuid ? await known.stats(serverId).one(files, level, uuid).catch(unreadable) : null
  if (!groups || !uuid) return { items: [], nextCursor: null }
  const one = { uuid, name: null, summary: summaryOf(groups) }
  const raw = Object.fromEntries([...groups].map(([group, keys]) => [group, Object.fromEntries(keys)]))
  return { items: [{ ...statsView(one, world), groups: raw }], nextCursor: null }
}

function unreadable(error: unknown): never {
  if (!(error instanceof UnusableFile)) throw error
  throw refusal(409, 'players.stats-damaged')
}

/** The cursor is the last key of the previous page. */
function pageOf<T>(
  all: { key: string; item: T }[],
  { limit = PAGE, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { items: T[]; nextCursor: string | null } {
  const sorted = all.sort((a, b) => (a.key < b.key ? -1 : 1))
  const after = cursor === undefined ? null : fromCursor(cursor)
  const from = after === null ? 0 : sorted.findIndex(({ key }) => key > after)
  const page = from < 0 ? [] : sorted.slice(from, from + Math.min(limit, PLAYERS_MOST))
  const last = page.at(-1)
  const more = last !== undefined && from + page.length < sorted.length
  return { items: page.map(({ item }) => item), nextCursor: more ? toCursor(last.key) : null }
}

const toCursor = (key: string): string => Buffer.from(`p${key}`).toString('base64url')

function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('p')) return text.slice(1)
  throw badCursor()
}

const NEWEST = { joinedAt: Number.MAX_SAFE_INTEGER, name: '' }

function placeIn(cursor: string): SessionPosition {
  const [, joinedAt, name] = /^(\d{1,15}) (.{1,40})$/.exec(fromCursor(cursor)) ?? []
  if (joinedAt === undefined || name === undefined) throw badCursor()
  return { joinedAt: Number(joinedAt), name }
}

function badCursor(): Refusal {
  return refusal(422, 'request.invalid.cursor').at('cursor')
}
