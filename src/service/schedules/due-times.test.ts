import { expect, test } from 'vitest'
import { dueTimes, nextTimes } from './due-times.ts'

const times = (cron: string, zone: string, from: string, most: number) =>
  nextTimes(dueTimes(cron, zone), Date.parse(from), most).map((at) => new Date(at).toISOString().slice(5, 16))

test('a time that summer time leaves out runs when it begins, and one that comes twice runs once', () => {
  expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual(['03-29T01:00', '03-30T00:30'])
  expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual(['10-25T00:30', '10-26T01:30'])
  expect(times('30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', 2)).toEqual([
    '03-08T07:00',
    '03-09T06:30',
  ])
  expect(times('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', 2)).toEqual([
    '11-01T05:30',
    '11-02T06:30',
  ])
})

test('every hour stays every hour at both ends of summer time', () => {
  for (const from of ['2026-03-28T23:30Z', '2026-10-24T23:30Z'])
    expect(times('0 * * * *', 'Europe/Berlin', from, 4)).toEqual(
      [1, 2, 3, 4].map((n) =>
        new Date(Date.parse(from) + n * 3_600_000 - 1_800_000).toISOString().slice(5, 16),
      ),
    )
})

test.each([
  ['', 'UTC'],
  ['* * * *', 'UTC'],
  ['* * * * * *', 'UTC'],
  ['@daily', 'UTC'],
  ['2030-01-01T00:00:00', 'UTC'],
  ['99 * * * *', 'UTC'],
  ['*/0 * * * *', 'UTC'],
  ['a b c d e', 'UTC'],
  ['1-99999999999999999999 * * * *', 'UTC'],
  ['* * * * *', ''],
  ['* * * * *', '../../etc/passwd'],
])('%j in %j is refused in words', (cron, zone) => {
  expect(() => dueTimes(cron, zone)).toThrow(/cron expression|time zone/)
})

test('what is never due has no next time', () => {
  expect(times('0 0 30 2 *', 'UTC', '2026-01-01T00:00Z', 5)).toEqual([])
})
