import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import type { ConsolePiece, HistoryState, LiveUpdates } from '../../contract/bridge/values.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { ApiClient } from '../api/client.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import type { Drift } from '../api/reader/drift.ts'
import { type Clock, systemClock } from '../base/retry.ts'
import { openCache } from '../views/cache/cache.ts'
import { noLog } from '../logging/log.ts'
import { LiveStream, type LiveStreamPorts } from './live-stream.ts'

/** Tests only: a clock on which pauses pass twenty times as fast. */
const quickClock: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() * 20,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}

export const shown = (pieces: ConsolePiece[]): string[] =>
  pieces.flatMap((piece) => (piece.kind === 'lines' ? piece.batch.texts : [`gap ${piece.from} ${piece.to}`]))

interface RecordedEvents {
  stats: unknown[]
  status: unknown[]
  noStats: (Problem | null)[]
  history: HistoryState[]
}

const unheard = { onPlayers: () => {}, onJob: () => {}, onChanged: () => {}, onGone: () => {} }

/** Tests only: the live updates of one server `s` at a service that answers as the test says. */
export async function listenTo(routes: Record<string, OddAnswer>, more: Partial<LiveStreamPorts> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const cache = await openCache(join(folder, 'cache.db'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'me' }),
    ...routes,
  })
  const drifted: ({ operation: string } & Drift)[] = []
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher: makeDispatcher(),
    token: async () => 'test',
    clock: quickClock,
    onDrift: ({ id }, drifts) => {
      drifted.push(...drifts.map((drift) => ({ operation: id, ...drift })))
      notice()
    },
  })
  const lines: string[] = []
  const told: RecordedEvents = { stats: [], status: [], noStats: [], history: [] }
  const states: LiveUpdates[] = []
  let notice = () => {}
  const noticed =
    <T>(list: T[]) =>
    (_server: string, value: T) => {
      list.push(value)
      notice()
    }
  const make = () =>
    new LiveStream({
      ...{ connectionId: 'c', pace: { times: 1 } },
      client: () => client,
      cache,
      servers: () => ['s'],
      watched: () => ['s'],
      shown: () => ['s'],
      readStatus: async () => null,
      isOnline: () => true,
      onPieces: (_server, pieces) => {
        lines.push(...shown(pieces))
        notice()
      },
      onHistory: noticed(told.history),
      onStatus: noticed(told.status),
      onStats: noticed(told.stats),
      onNoStats: noticed(told.noStats),
      ...unheard,
      onLive: (now) => {
        states.push(now)
        notice()
      },
      log: noLog,
      clock: quickClock,
      ...more,
    })
  let stream = make()
  onTestFinished(async () => {
    stream.stop()
    client.close()
    await service.close()
    await cache.close()
    await rm(folder, { recursive: true })
  })
  /** Resolves when the condition holds, looked at after each thing that arrives. */
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      notice = () => condition() && resolve()
      notice()
    })
  return {
    ...{ routes: service.routes, drifted, lines, told, states, until, client, cache },
    stream: () => stream,
    /** As the panel is closed and opened again. */
    again() {
      stream.stop()
      lines.length = 0
      stream = make()
    },
  }
}
