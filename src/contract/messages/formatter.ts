/**
 * Formatters by language and options. Making one takes half a millisecond, which a list of thirty servers pays sixty
 * times.
 */
const made = new Map<string, unknown>()

/** The formatter of a kind, such as `Intl.NumberFormat`, for a language and options; made once. */
export function formatter<T, O>(
  kind: new (locale: string, options: O) => T,
  locale: string,
  options: NoInfer<O>,
): T {
  const key = `${kind.name} ${locale} ${JSON.stringify(options)}`
  const held = made.get(key)
  if (held) return held as T
  const one = new kind(locale, options)
  made.set(key, one)
  return one
}

/** Signs between a number and its decimals, for languages that are written like this everywhere. */
const points: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ['en', 'en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IE', 'en-NZ'].map((tag) => [tag, '.']),
  ),
  ...Object.fromEntries(['de', 'de-DE'].map((tag) => [tag, ','])),
}

/**
 * A number from 0 to 999 as `Intl` writes it, without it; null for all that it may write otherwise. The first formatter that
 * a window makes takes 10 ms, which the list of servers would wait for.
 */
function small(value: number, digits: number, locale: string): string | null {
  const point = points[locale]
  // By the decimals that the number is written with: 0.95 is 1, though what the processor holds is a little less.
  const rounded = Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`)
  if (point === undefined || !(value >= 0 && rounded < 1000)) return null
  return String(rounded).replace('.', point)
}

/** A number with at most so many decimals. */
export function decimal(value: number, digits: number, locale: string): string {
  return (
    small(value, digits, locale) ??
    formatter(Intl.NumberFormat, locale, { maximumFractionDigits: digits }).format(value)
  )
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const signs = ['', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in bytes, in steps of 1024, with two or three digits that mean something. */
export function bytes(value: number, locale: string): string {
  let step = 0
  let amount = value
  while (Math.abs(amount) >= 1000 && step < units.length - 1) {
    amount /= 1024
    step += 1
  }
  const maximumFractionDigits = step === 0 || amount >= 100 ? 0 : 1
  const digits = step > 0 ? small(amount, maximumFractionDigits, locale) : null
  // In German no line breaks between the two: `Intl` sees to that for gigabytes alone.
  if (digits !== null) return `${digits}${points[locale] === ',' ? '\u00a0' : ' '}${signs[step]}`
  return formatter(Intl.NumberFormat, locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits,
  }).format(amount)
}
