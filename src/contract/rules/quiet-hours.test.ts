import { describe, expect, test } from 'vitest'
import { isQuiet, isTimeZone } from './quiet-hours.ts'

const at = (iso: string) => Date.parse(iso)
const night = { begins: '22:00', ends: '07:00', timeZone: 'Europe/Berlin' }

describe('quiet hours', () => {
  test('go over midnight where they end before they begin', () => {
    expect(isQuiet(night, at('2026-01-10T20:59:59Z'))).toBe(false)
    expect(isQuiet(night, at('2026-01-10T21:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-01-10T23:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-01-11T05:59:59Z'))).toBe(true)
    expect(isQuiet(night, at('2026-01-11T06:00:00Z'))).toBe(false)
  })

  test('lie within a day where they end after they begin', () => {
    const noon = { begins: '12:00', ends: '13:30', timeZone: 'Asia/Kolkata' }
    expect(isQuiet(noon, at('2026-01-10T06:29:59Z'))).toBe(false)
    expect(isQuiet(noon, at('2026-01-10T06:30:00Z'))).toBe(true)
    expect(isQuiet(noon, at('2026-01-10T08:00:00Z'))).toBe(false)
  })

  test('end at the same time of day in the night in which clocks are put forward', () => {
    // On 2026-03-29 Berlin goes from UTC+1 to UTC+2 at 02:00.
    expect(isQuiet(night, at('2026-03-28T20:59:59Z'))).toBe(false)
    expect(isQuiet(night, at('2026-03-28T21:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-03-29T04:59:59Z'))).toBe(true)
    expect(isQuiet(night, at('2026-03-29T05:00:00Z'))).toBe(false)
    expect(isQuiet(night, at('2026-03-29T20:00:00Z'))).toBe(true)
  })

  test('end at the same time of day in the night in which clocks are put back; the hour that comes twice is quiet twice', () => {
    // On 2026-10-25 Berlin goes from UTC+2 to UTC+1 at 03:00.
    expect(isQuiet(night, at('2026-10-25T05:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-10-25T06:00:00Z'))).toBe(false)
    const twice = { begins: '02:00', ends: '03:00', timeZone: 'Europe/Berlin' }
    expect(isQuiet(twice, at('2026-10-25T00:30:00Z'))).toBe(true)
    expect(isQuiet(twice, at('2026-10-25T01:30:00Z'))).toBe(true)
    expect(isQuiet(twice, at('2026-10-25T02:00:00Z'))).toBe(false)
  })

  test('that begin within an hour that a night leaves out begin right after it', () => {
    const hours = { begins: '02:30', ends: '04:00', timeZone: 'Europe/Berlin' }
    expect(isQuiet(hours, at('2026-03-29T00:59:59Z'))).toBe(false)
    expect(isQuiet(hours, at('2026-03-29T01:00:00Z'))).toBe(true)
    expect(isQuiet(hours, at('2026-03-29T02:00:00Z'))).toBe(false)
  })

  test('of a time zone that nobody knows are never', () => {
    expect(isQuiet({ ...night, timeZone: 'Mars/Olympus' }, at('2026-01-10T23:00:00Z'))).toBe(false)
    expect(isQuiet(null, at('2026-01-10T23:00:00Z'))).toBe(false)
    expect(isTimeZone('Mars/Olympus')).toBe(false)
    expect(isTimeZone('America/New_York')).toBe(true)
  })
})
