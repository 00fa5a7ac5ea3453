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

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in bytes, in steps of 1024, with two or three digits that mean something. */
export function bytes(value: number, locale: string): string {
  let step = 0
  let amount = value
  while (Math.abs(amount) >= 1000 && step < units.length - 1) {
    amount /= 1024
    step += 1
  }
  const maximumFractionDigits = step === 0 || amount >= 100 ? 0 : 1
  return formatter(Intl.NumberFormat, locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits,
  }).format(amount)
}
