/** Creating a formatter takes half a millisecond; a list of thirty servers needs sixty. */
const made = new Map<string, unknown>()

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

/** Decimal separators of languages with the same one everywhere. */
const points: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ['en', 'en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IE', 'en-NZ'].map((tag) => [tag, '.']),
  ),
  ...Object.fromEntries(['de', 'de-DE'].map((tag) => [tag, ','])),
}

/** Formats 0 to 999 without `Intl`, whose first use takes 10 ms. Null for other values. */
function small(value: number, digits: number, locale: string): string | null {
  const point = points[locale]
  // Rounds the decimal notation: 0.95 becomes 1 although its binary value is slightly less.
  const rounded = Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`)
  if (point === undefined || !(value >= 0 && rounded < 1000)) return null
  return String(rounded).replace('.', point)
}

export function decimal(value: number, digits: number, locale: string): string {
  return (
    small(value, digits, locale) ??
    formatter(Intl.NumberFormat, locale, { maximumFractionDigits: digits }).format(value)
  )
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const signs = ['', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in steps of 1024, with two or three significant digits. */
export function bytes(value: number, locale: string): string {
  let step = 0
  let amount = value
  while (Math.abs(amount) >= 1000 && step < units.length - 1) {
    amount /= 1024
    step += 1
  }
  const maximumFractionDigits = step === 0 || amount >= 100 ? 0 : 1
  const digits = step > 0 ? small(amount, maximumFractionDigits, locale) : null
  // German uses a no-break space; `Intl` inserts one only for gigabytes.
  if (digits !== null) return `${digits}${points[locale] === ',' ? '\u00a0' : ' '}${signs[step]}`
  return formatter(Intl.NumberFormat, locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits,
  }).format(amount)
}
