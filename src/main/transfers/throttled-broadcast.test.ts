import { expect, it, onTestFinished, vi } from 'vitest'
import type { Log } from '../logging/log.ts'
import { ThrottledBroadcast } from './throttled-broadcast.ts'

const log = { warn: () => {} } as unknown as Log

it('tells anew what moves although nothing comes, until it no longer does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let told = 0
  let moves = true
  const broadcast = new ThrottledBroadcast(async () => {
    told += 1
    return { moves }
  }, log)
  broadcast.changed(true)
  await vi.advanceTimersByTimeAsync(3500)
  expect(told).toBe(4)
  moves = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toBe(5)
})

it('tells nothing after its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let told = 0
  const broadcast = new ThrottledBroadcast(async () => ({ moves: ++told > 0 }), log)
  broadcast.changed(true)
  broadcast.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toBe(1)
})
