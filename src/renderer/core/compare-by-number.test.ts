import { describe, expect, it } from 'vitest'
import { compareByNumber } from './compare-by-number.ts'

/** The same numbers at every run. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const signs = [
  ...['0', '1', '2', '9', '10', '007', '0', '1', 'a', 'B', 'r.', '-', ' ', '_', 'chunk.', '.mca'],
  ...['ä', 'e\u0301', '\u0301', '\u0660', '\u0663', '中', '\u200d', '\u0001', '½', '²', '😀', 'l·', 'ch'],
]

describe('comparing names by their number', () => {
  it('says what the collator says, or nothing', () => {
    const collators = ['en', 'de', 'sv', 'ca', 'th', 'ar', 'zh'].map(
      (locale) => new Intl.Collator(locale, { numeric: true }),
    )
    const below = chance(7)
    const text = (most: number) =>
      Array.from({ length: below(most) }, () => signs[below(signs.length)] ?? '').join('')
    let told = 0
    for (let round = 0; round < 40_000; round++) {
      const head = text(4)
      const [a, b] = [head + text(4), head + text(4)]
      const said = Math.sign(compareByNumber(a, b))
      if (said === 0) continue
      told++
      for (const collator of collators)
        expect(said, JSON.stringify([a, b])).toBe(Math.sign(collator.compare(a, b)))
    }
    expect(told).toBeGreaterThan(1000)
  })

  it('knows numbers however long, and leaves those that a collator takes apart', () => {
    expect(compareByNumber('r.9.mca', 'r.10.mca')).toBeLessThan(0)
    expect(compareByNumber('r.10.mca', 'r.1.mca')).toBeGreaterThan(0)
    expect(compareByNumber(`a${'9'.repeat(99)}`, `a1${'0'.repeat(99)}`)).toBeLessThan(0)
    expect(compareByNumber(`a${'9'.repeat(254)}`, `a1${'0'.repeat(254)}`)).toBe(0)
  })

  it('leaves to the collator what differs elsewhere, or by zeros in front alone', () => {
    expect(compareByNumber('a1', 'b1')).toBe(0)
    expect(compareByNumber('a01', 'a1')).toBe(0)
    expect(compareByNumber('a1', 'a')).toBe(0)
    expect(compareByNumber('same', 'same')).toBe(0)
  })
})
