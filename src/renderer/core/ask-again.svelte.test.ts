import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Problem, ProblemCode } from '../../contract/bridge/problem.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import { ReadRetry } from './ask-again.ts'
import { ScriptedBridge } from './scripted-bridge.fixture.ts'

const failure = (code: ProblemCode, more: Partial<Problem> = {}): Problem => ({
  code,
  message: 'It failed.',
  retryable: true,
  ...more,
})
const connection = (state: ConnectionState): Connection => ({
  id: 'c',
  kind: 'service',
  name: 'c',
  baseUrl: 'http://c/api/v1',
  user: null,
  state,
  tokenKept: 'memory',
  expiresAt: null,
})

let way: ScriptedBridge
let asked: number
let again: ReadRetry
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  way = new ScriptedBridge({})
  window.panel = way
  asked = 0
  again = new ReadRetry('c', () => asked++)
  stop = again.start()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('asks again after pauses that grow up to a minute, and no more once it was answered', () => {
  const pauses: number[] = []
  for (let round = 0; round < 8; round++) {
    again.failed(failure('service-failed'))
    const before = Date.now()
    vi.advanceTimersToNextTimer()
    pauses.push(Date.now() - before)
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  expect(asked).toBe(8)
  again.succeeded()
  expect(vi.getTimerCount()).toBe(0)
})

it('waits as long as it was asked to, and not at all for what somebody has to change', () => {
  again.failed(failure('rate-limited', { retryAfter: 90 }))
  vi.advanceTimersByTime(89_000)
  expect(asked).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(asked).toBe(1)
  for (const code of ['forbidden', 'unavailable', 'not-found', 'signed-out'] as const) {
    again.failed(failure(code))
    vi.advanceTimersByTime(600_000)
  }
  expect(asked).toBe(1)
})

it('asks at once when its connection is there again, and nothing when nobody looks', () => {
  again.failed(failure('offline'))
  const away = { kind: 'offline', problem: failure('offline'), since: '2026-11-22T08:00:00Z' } as const
  way.send('connections', [connection(away)])
  way.send('connections', [connection({ kind: 'ready' })])
  expect(asked).toBe(1)
  again.failed(failure('offline'))
  stop()
  vi.advanceTimersByTime(600_000)
  expect(asked).toBe(1)
})

it('waits no longer and no shorter where the clock of the computer is set meanwhile', () => {
  again.failed(failure('rate-limited', { retryAfter: 90 }))
  vi.setSystemTime(Date.now() - 60 * 24 * 60 * 60 * 1000)
  vi.advanceTimersByTime(89_000)
  expect(asked).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(asked).toBe(1)
})
