import { describe, expect, it } from 'vitest'
import type { Problem, ProblemCode } from '../../../contract/bridge/problem.ts'
import type { Clock } from '../../base/retry.ts'
import { Retries } from './retries.ts'

const failure = (code: ProblemCode, extra: Partial<Problem> = {}): Problem => ({
  code,
  message: 'It failed.',
  retryable: true,
  ...extra,
})

/** A clock that stands still; `pass` ends the pause that is waited for, and answers how long it was. */
function heldClock() {
  let now = 1_000_000
  const sleeping: { ms: number; wake: () => void; signal?: AbortSignal | undefined }[] = []
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    random: () => 1,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const one = { ms, wake: resolve, signal }
        sleeping.push(one)
        signal?.addEventListener('abort', () => {
          sleeping.splice(sleeping.indexOf(one), 1)
          reject(signal.reason as Error)
        })
      }),
  }
  return {
    clock,
    pauses: () => sleeping.map(({ ms }) => ms),
    async pass(): Promise<number> {
      const one = sleeping.shift()
      if (!one) throw new Error('Nobody waits.')
      now += one.ms
      one.wake()
      // All that follows without another pause.
      await new Promise((resolve) => setImmediate(resolve))
      return one.ms
    },
  }
}

/** Tries again what is said to have failed; `answers` says what comes of it. */
function trial() {
  const time = heldClock()
  const asked: string[] = []
  const answers = new Map<string, Problem | null>()
  const state = { ready: true, shown: (_key: string) => true }
  const retries: Retries = new Retries({
    clock: time.clock,
    isReady: () => state.ready,
    isShown: (key) => state.shown(key),
    read: async (key) => {
      asked.push(key)
      const problem = answers.get(key) ?? null
      if (problem) retries.failed('c', key, problem)
      else retries.succeeded('c', key)
      return problem
    },
  })
  const fail = (key: string, problem: Problem) => {
    answers.set(key, problem)
    retries.failed('c', key, problem)
  }
  return { ...time, asked, answers, state, retries, fail }
}

describe('what could not be read', () => {
  it('is tried again after pauses that grow, up to a minute, until it can be read', async () => {
    const it = trial()
    it.fail('list', failure('service-failed'))
    const pauses: number[] = []
    for (let round = 0; round < 8; round++) pauses.push(await it.pass())
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    it.answers.set('list', null)
    await it.pass()
    expect(it.asked).toHaveLength(9)
    expect(it.pauses()).toEqual([])
    // The next failure begins anew.
    it.fail('list', failure('service-failed'))
    expect(it.pauses()).toEqual([1000])
  })

  it('shares one pause with all else of its connection, and a service that is away is asked once in it', async () => {
    const it = trial()
    for (const key of ['a', 'b', 'c', 'd']) it.fail(key, failure('rate-limited'))
    expect(it.pauses()).toEqual([1000])
    await it.pass()
    expect(it.asked).toEqual(['a'])
    it.answers.clear()
    await it.pass()
    expect(it.asked).toEqual(['a', 'a', 'b', 'c', 'd'])
    expect(it.pauses()).toEqual([])
  })

  it('does not hinder the others where it alone fails', async () => {
    const it = trial()
    it.fail('a', failure('service-failed'))
    it.fail('b', failure('incompatible'))
    it.answers.set('b', null)
    await it.pass()
    expect(it.asked).toEqual(['a', 'b'])
    await it.pass()
    expect(it.asked).toEqual(['a', 'b', 'a'])
  })

  it('waits as long as the service asked for, and whoever shows it asks no sooner', async () => {
    const it = trial()
    it.fail('a', failure('service-failed'))
    it.fail('b', failure('rate-limited', { retryAfter: 90 }))
    expect(it.retries.mayAsk('c')).toBe(false)
    expect(it.retries.mayAsk('another')).toBe(true)
    it.retries.wake()
    expect(it.asked).toEqual([])
    expect(it.pauses()).toEqual([90_000])
    it.answers.clear()
    await it.pass()
    expect(it.asked).toEqual(['a', 'b'])
    expect(it.retries.mayAsk('c')).toBe(true)
  })

  it.each(['signed-out', 'forbidden', 'not-found', 'unavailable'] as const)(
    'is left alone where the answer would be the same: %s',
    (code) => {
      const it = trial()
      it.fail('a', failure('service-failed'))
      it.fail('a', failure(code))
      it.fail('b', failure(code))
      it.retries.wake()
      expect(it.asked).toEqual([])
    },
  )

  it('is left alone when nobody looks at it any more, or its connection cannot be asked', async () => {
    const it = trial()
    it.fail('a', failure('service-failed'))
    it.state.shown = () => false
    await it.pass()
    expect([it.asked, it.pauses()]).toEqual([[], []])
    it.state.shown = () => true
    it.state.ready = false
    it.fail('a', failure('service-failed'))
    await it.pass()
    expect([it.asked, it.pauses()]).toEqual([[], []])
  })

  it('is tried at once when something else of the service could be read again, or the network is back', async () => {
    const it = trial()
    for (const key of ['a', 'b']) it.fail(key, failure('service-failed'))
    for (let round = 0; round < 5; round++) await it.pass()
    it.answers.clear()
    it.asked.length = 0
    // Somebody read one of them by hand.
    it.retries.succeeded('c', 'a')
    await new Promise((resolve) => setImmediate(resolve))
    expect(it.asked).toEqual(['b'])
    it.fail('b', failure('service-failed'))
    for (let round = 0; round < 5; round++) await it.pass()
    it.asked.length = 0
    it.retries.wake()
    expect(it.asked).toEqual(['b'])
  })

  it('is forgotten at the end', async () => {
    const it = trial()
    it.fail('a', failure('service-failed'))
    it.retries.close()
    it.fail('a', failure('service-failed'))
    expect(it.pauses()).toEqual([])
  })
})
