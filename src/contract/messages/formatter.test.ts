import { expect, it } from 'vitest'
import { bytes, decimal } from './formatter.ts'

/** Languages that are written without `Intl` as far as that goes, and their like that have other signs. */
const locales = ['en', 'en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IE', 'en-NZ', 'en-ZA', 'de', 'de-DE', 'de-CH']

/** In German we let no line break within a size, where `Intl` sees to that for gigabytes alone. */
const unbroken = (text: string, locale: string) =>
  ['de', 'de-DE'].includes(locale) ? text.replace(' ', '\u00a0') : text

/** Numbers of every length, with what rounds up, down, and into one more digit. */
const numbers = [
  ...[0, 0.04, 0.05, 0.5, 0.95, 0.999, 1.5, 9.96, 12.34, 99.95, 100.4, 999, 999.4, 999.95, 1000, 1234.5],
  ...Array.from({ length: 400 }, (_, at) => 1.07 ** at / 7),
].flatMap((value) => (value === 0 ? [0] : [value, -value]))

it.each(locales)('numbers are written as `Intl` writes them in %s', (locale) => {
  for (const digits of [0, 1, 3]) {
    const { format } = new Intl.NumberFormat(locale, { maximumFractionDigits: digits })
    expect(numbers.map((value) => decimal(value, digits, locale))).toEqual(
      numbers.map((value) => format(value)),
    )
  }
})

it.each(locales)('sizes have the signs that `Intl` gives them in %s', (locale) => {
  for (const [at, unit] of ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'].entries())
    for (const [amount, digits] of [
      [1, 1],
      [1.26, 1],
      [64.95, 1],
      [512, 0],
      [998.6, 0],
    ] as const) {
      const { format } = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: digits,
      })
      expect(bytes(amount * 1024 ** (at + 1), locale)).toBe(unbroken(format(amount), locale))
    }
})
