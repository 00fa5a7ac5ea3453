import { expect, it } from 'vitest'
import { PlayerGathering } from './player-gathering.ts'

it('the first who joins is told at once, those within the next minute as one, and each server by itself', () => {
  let now = 0
  const timers: { at: number; run: () => void }[] = []
  const told: [string, number, number][] = []
  const gathering = new PlayerGathering({
    tell: ({ server, count, online }) => told.push([server.id, count, online]),
    elapsed: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
  })
  const join = (id: string, online: number) =>
    gathering.take({ kind: 'joined', connectionId: 'c', server: { id } as never, count: 1, online })
  const toTime = (time: number) => {
    now = time
    for (const timer of [...timers]) if (timer.at <= now) timer.run()
  }
  join('a', 1)
  for (let online = 2; online <= 40; online++) {
    toTime(online * 1_000)
    join('a', online)
  }
  join('b', 1)
  expect(told).toEqual([
    ['a', 1, 1],
    ['b', 1, 1],
  ])
  toTime(60_000)
  expect(told.at(-1)).toEqual(['a', 39, 40])
  join('a', 41)
  gathering.stop()
  expect(told).toHaveLength(3)
  expect(timers.filter(({ at }) => at > now)).toEqual([])
})
