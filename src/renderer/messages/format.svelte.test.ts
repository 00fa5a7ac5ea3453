import { afterEach, describe, expect, it } from 'vitest'
import { agoToday } from './elapsed.ts'
import { ago, bytes, dateTime, duration, memory, percent } from './format.ts'
import { useLanguage } from './t.svelte.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 20, 12)

afterEach(() => useLanguage('en'))

describe('what is measured', () => {
  it('is written in the units people think in', () => {
    expect([0, 1, 999, 1024, 1536, 2 ** 30].map(bytes)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1 kB',
      '1.5 kB',
      '1 GB',
    ])
    expect(memory(2048)).toBe('2 GB')
    expect([0.5, 9.96, 140].map(percent)).toEqual(['0.5%', '10%', '140%'])
  })

  it('is as old as its last whole step', () => {
    const days = [2, 60, 61, 240, 730, 731].map((count) => count * 24 * 60 * minute)
    const old = [10_000, 5 * minute, 90 * minute, ...days]
    expect(old.map((age) => ago(now - age, now))).toEqual([
      'just now',
      '5 minutes ago',
      '1 hour ago',
      '2 days ago',
      '60 days ago',
      '2 months ago',
      '7 months ago',
      '23 months ago',
      '2 years ago',
    ])
  })

  it('is not from the future where two clocks differ', () => {
    expect(ago(now + 5 * minute, now)).toBe('just now')
  })

  it('is told by its date where a clock was wrong, and no length is negative', () => {
    const later = now + 30 * 24 * 60 * minute
    expect(ago(later, now)).toBe(dateTime(later))
    expect(duration(-5 * minute)).toBe(duration(0))
  })

  it('tells the age of what is of today, and the date of what is older', () => {
    const noon = new Date(2026, 10, 28, 12).getTime()
    expect(agoToday(noon - 2 * minute, noon)).toBe('2 minutes ago')
    const yesterday = noon - 13 * 60 * minute
    expect(agoToday(yesterday, noon)).toBe(dateTime(yesterday))
  })

  it('lasts in its two largest units', () => {
    expect([0, 59_000, 61_000, 200 * minute, 3 * 24 * 60 * minute].map(duration)).toEqual([
      '0 sec',
      '59 sec',
      '1 min 1 sec',
      '3 hr 20 min',
      '3 days',
    ])
  })

  it('follows the language of the texts', async () => {
    await useLanguage('de')
    expect(ago(now - 5 * minute, now)).toBe('vor 5 Minuten')
    expect(bytes(1536)).toBe('1,5\u00a0kB')
  })
})
