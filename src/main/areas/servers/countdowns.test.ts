import { expect, it } from 'vitest'
import { Countdowns } from './countdowns.ts'

const server = { connectionId: 'c', serverId: 's' }

/** A clock that runs what is due in order. `sleep` passes time without running anything. */
function table() {
  let now = 1_000_000
  let timers: { at: number; run: () => void }[] = []
  const state = { online: true, players: 2 as number | null, refuses: false }
  const done: string[] = []
  const failures: unknown[] = []
  const countdowns = new Countdowns({
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => (timers = timers.filter((one) => one !== timer))
    },
    isOnline: () => state.online,
    playersOn: () => state.players,
    async say(_, text) {
      if (state.refuses) throw new Error('refused')
      done.push(text)
    },
    async act(_, action) {
      if (state.refuses) throw new Error('refused')
      done.push(action)
    },
    tell: () => {},
    failed: (_, error) => failures.push(error),
  })
  const pass = async (seconds: number) => {
    const end = now + seconds * 1000
    for (;;) {
      const next = timers.toSorted((a, b) => a.at - b.at)[0]
      if (!next || next.at > end) break
      timers = timers.filter((one) => one !== next)
      now = Math.max(now, next.at)
      next.run()
      await Promise.resolve()
    }
    now = Math.max(now, end)
  }
  return { countdowns, state, done, failures, pass, sleep: (seconds: number) => (now += seconds * 1000) }
}

it('warns players with less and less time, then restarts', async () => {
  const { countdowns, done, pass } = table()
  await countdowns.begin(server, 'restart', 'en')
  expect(countdowns.list()).toEqual([{ ...server, action: 'restart', language: 'en', at: 1_060_000 }])
  await pass(59)
  expect(done).toEqual([
    'The server restarts in 60 seconds.',
    'The server restarts in 30 seconds.',
    'The server restarts in 10 seconds.',
    'The server restarts in 5 seconds.',
    'The server restarts in 4 seconds.',
    'The server restarts in 3 seconds.',
    'The server restarts in 2 seconds.',
    'The server restarts in 1 second.',
  ])
  await pass(1)
  expect(done.at(-1)).toBe('restart')
  expect(countdowns.list()).toEqual([])
})

it('tells players that it was canceled, and does nothing then', async () => {
  const { countdowns, done, pass } = table()
  await countdowns.begin(server, 'stop', 'de')
  await countdowns.cancel(server)
  await pass(120)
  expect(done).toEqual(['Der Server stoppt in 60 Sekunden.', 'Der Stopp wurde abgesagt.'])
})

it('does it at once when everybody has left', async () => {
  const { countdowns, state, done } = table()
  await countdowns.begin(server, 'stop', 'en')
  state.players = 1
  countdowns.changed(server)
  expect(done).toHaveLength(1)
  state.players = 0
  countdowns.changed(server)
  expect(done.at(-1)).toBe('stop')
})

it('ends when the server does, whoever stopped it', async () => {
  const { countdowns, state, done, pass } = table()
  await countdowns.begin(server, 'restart', 'en')
  state.online = false
  countdowns.changed(server)
  await pass(120)
  expect(done).toEqual(['The server restarts in 60 seconds.'])
})

it('stops nothing if the first warning is refused', async () => {
  const { countdowns, state, done, pass } = table()
  state.refuses = true
  await expect(countdowns.begin(server, 'stop', 'en')).rejects.toThrow('refused')
  state.refuses = false
  await pass(120)
  expect(done).toEqual([])
  expect(countdowns.list()).toEqual([])
})

it('goes on without a warning that was lost, and reports what was refused at the end', async () => {
  const { countdowns, state, failures, pass } = table()
  await countdowns.begin(server, 'stop', 'en')
  state.refuses = true
  await pass(60)
  await Promise.resolve()
  expect(failures).toHaveLength(1)
})

it('warns again after the computer slept, instead of disconnecting players on waking', async () => {
  const { countdowns, done, pass, sleep } = table()
  await countdowns.begin(server, 'stop', 'en')
  sleep(3600)
  await pass(0)
  expect(done).toEqual(['The server stops in 60 seconds.', 'The server stops in 60 seconds.'])
  await pass(60)
  expect(done.at(-1)).toBe('stop')
})

it('replaces a stop by a restart', async () => {
  const { countdowns, done, pass } = table()
  await countdowns.begin(server, 'stop', 'en')
  await pass(40)
  await countdowns.begin(server, 'restart', 'en')
  await pass(60)
  expect(done.filter((one) => one === 'stop' || one === 'restart')).toEqual(['restart'])
})
