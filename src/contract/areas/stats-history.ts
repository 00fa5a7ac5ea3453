import { z } from 'zod'
import { area } from '../declarations/declare.ts'
import { json, Time, maybe } from '../declarations/operation.ts'
import { ServerStatus } from './servers.ts'

const { read } = area('servers')

export const STATS_RANGES = ['hour', 'day', 'week'] as const
export type StatsRange = (typeof STATS_RANGES)[number]

/** Means over `seconds`, and the most of them. Sizes in bytes; 100 cpuPercent is one core. */
const StatsPoint = z.object({
  at: Time,
  cpuPercent: maybe.amount,
  cpuPercentMost: maybe.amount,
  memoryBytes: maybe.amount,
  memoryBytesMost: maybe.amount,
  playersMost: maybe.amount,
})

export const StatsHistory = z.object({
  /** Oldest first; none while it wasn't online. */
  points: z.array(StatsPoint).max(1000),
  /** Length of a point's bucket. */
  seconds: maybe.amount,
  /** Changes of the status. */
  marks: z.array(z.object({ at: Time, status: ServerStatus })).max(1000),
})
export type StatsHistory = z.output<typeof StatsHistory>

/** An extension. */
export const statsHistory = {
  history: read({
    id: 'servers.stats-history',
    summary: 'Get what the server used over the last hour, day or week',
    rate: { burst: 60, perSecond: 1 },
    path: '/servers/stats/history/:serverId',
    origin: 'extension',
    scope: 'stats.read',
    query: z.object({ range: z.enum(STATS_RANGES).optional() }),
    answer: json(StatsHistory),
    keep: 'memory',
  }),
}
