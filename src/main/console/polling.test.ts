import { expect, it, onTestFinished } from 'vitest'
import { Polling, PollingInterval } from './polling.ts'

it('on battery services are asked less often, by as much everywhere, and as before on the mains again', async () => {
  const pace = new PollingInterval()
  const pauses: number[] = []
  let go = () => {}
  const polling = new Polling({
    pace,
    clock: {
      now: () => 0,
      elapsed: () => 0,
      random: () => 1,
      sleep: (ms) => {
        pauses.push(ms)
        return new Promise((resolve) => (go = resolve))
      },
    },
    wanted: () => ['s'],
    ask: async () => ({ news: true, away: false, leaveAlone: 0 }),
    onRound: () => {},
    onFault: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(() => polling.stop())
  const next = async () => {
    const before = pauses.length
    go()
    await expect.poll(() => pauses.length).toBeGreaterThan(before)
  }
  await expect.poll(() => pauses.length).toBe(1)
  pace.spare(true)
  await next()
  // What is said of it is true then too.
  expect(polling.every).toBe(8)
  pace.spare(false)
  await next()
  expect(pauses).toEqual([2000, 8000, 2000])
})
