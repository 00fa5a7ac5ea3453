import { bytes as bytesIn, decimal, formatter } from '../../contract/messages/formatter.ts'
import { locale, t } from './t.svelte.ts'

function once<T, O>(kind: new (locale: string, options: O) => T, options: NoInfer<O>): T {
  return formatter(kind, locale(), options)
}

export function number(value: number, digits = 0): string {
  return decimal(value, digits, locale())
}

/** `42M`, where only the order of magnitude matters. */
export function compactNumber(value: number): string {
  return once(Intl.NumberFormat, { notation: 'compact' }).format(value)
}

/** 100 is one core. */
export function percent(value: number): string {
  return once(Intl.NumberFormat, {
    style: 'percent',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value / 100)
}

/** In steps of 1024, with two or three significant digits. */
export function bytes(value: number): string {
  return bytesIn(value, locale())
}

/** In MiB, as in the contract. */
export function memory(megabytes: number): string {
  return bytes(megabytes * 1024 * 1024)
}

export function dateTime(at: string | number | Date): string {
  return once(Intl.DateTimeFormat, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** `5:51 AM`; with its date if it is of another day. */
export function moment(at: string | number | Date, now: number): string {
  const date = new Date(at)
  return date.toDateString() === new Date(now).toDateString()
    ? once(Intl.DateTimeFormat, { timeStyle: 'short' }).format(date)
    : dateTime(date)
}

export function clock(at: string | number | Date): string {
  return once(Intl.DateTimeFormat, { timeStyle: 'medium' }).format(new Date(at))
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365.25 * day
const month = year / 12
/** Count days up to this many months, and months up to this many years; larger units would lose half. */
const FEW = 2

/** `5 minutes ago`, or `just now` under a minute. Future times (wrong clocks) are shown as a date. */
export function ago(at: string | number | Date, now: number): string {
  const past = now - new Date(at).getTime()
  // Clocks of two computers differ by minutes.
  if (past <= -hour) return dateTime(at)
  if (past < minute) return t('age.just-now')
  const words = once(Intl.RelativeTimeFormat, { numeric: 'auto' })
  if (past < hour) return words.format(-Math.floor(past / minute), 'minute')
  if (past < day) return words.format(-Math.floor(past / hour), 'hour')
  if (past < FEW * month) return words.format(-Math.floor(past / day), 'day')
  if (past < FEW * year) return words.format(-Math.floor(past / month), 'month')
  return words.format(-Math.floor(past / year), 'year')
}

/** The two largest units: `3 h 12 min`. Negative counts as zero. */
export function duration(length: number): string {
  const milliseconds = Math.max(0, length)
  const parts = [
    ['day', Math.floor(milliseconds / day)],
    ['hour', Math.floor((milliseconds % day) / hour)],
    ['minute', Math.floor((milliseconds % hour) / minute)],
    ['second', Math.floor((milliseconds % minute) / second)],
  ] as const
  const first = parts.findIndex(([, amount]) => amount > 0)
  const shown =
    first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(([, amount]) => amount > 0)
  return shown
    .map(([unit, amount]) =>
      once(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
    )
    .join(' ')
}
