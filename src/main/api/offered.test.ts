import { expect, test } from 'vitest'
import { MissingOperations } from './offered.ts'

test('what is not offered is remembered for a day', () => {
  let elapsed = 5
  const offered = new MissingOperations({ now: () => 1000, elapsed: () => elapsed })
  expect(offered.missingSince('files.list')).toBeNull()
  offered.missing('files.list')
  elapsed += 24 * 60 * 60 * 1000 - 1
  expect(offered.missingSince('files.list')).toBe(1000)
  expect(offered.missingSince('files.read')).toBeNull()
  elapsed += 1
  expect(offered.missingSince('files.list')).toBeNull()
})

test('what was answered well is not taken for missing by a moment of 404', () => {
  let now = 1000
  const offered = new MissingOperations({ now: Date.now, elapsed: () => now })
  expect(offered.doubts('files.list')).toBe(false)
  offered.worked('files.list')
  for (let times = 0; times < 10; times++) {
    expect(offered.doubts('files.list')).toBe(true)
    offered.doubted('files.list')
  }
  now += 60_000
  expect(offered.doubts('files.list')).toBe(false)
  offered.worked('files.list')
  expect(offered.doubts('files.list')).toBe(true)
  offered.missing('files.list')
  expect(offered.doubts('files.list')).toBe(false)
})

test('is forgotten when somebody asks again', () => {
  const offered = new MissingOperations({ now: () => 1, elapsed: () => 1 })
  offered.missing('files.list')
  offered.missing('files.read')
  offered.askAgain('files.list')
  expect(offered.missingSince('files.list')).toBeNull()
  expect(offered.missingSince('files.read')).toBe(1)
  offered.askAgain()
  expect(offered.missingSince('files.read')).toBeNull()
})

test('a clock that is set does not make it be asked sooner, or later', () => {
  let [now, elapsed] = [Date.UTC(2026, 10, 22), 0]
  const offered = new MissingOperations({ now: () => now, elapsed: () => elapsed })
  offered.missing('files.list')
  now += 40 * 24 * 60 * 60 * 1000
  expect(offered.missingSince('files.list')).not.toBeNull()
  now -= 80 * 24 * 60 * 60 * 1000
  elapsed += 24 * 60 * 60 * 1000
  expect(offered.missingSince('files.list')).toBeNull()
})
