import { bytes, formatter } from './formatter.ts'

/**
 * A text with `{name}` places, or one text per plural form; which form holds is decided by `count`. What stands in a
 * place `{name:bytes}` is a size in bytes.
 */
export type Message = string | PluralMessage

export interface PluralMessage {
  one: string
  other: string
}

type PlacesIn<S extends string> = S extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesIn<Rest>
  : never

/** A message's places, read from its text by the compiler. */
type Places<M> = M extends string
  ? PlacesIn<M>
  : M extends PluralMessage
    ? PlacesIn<M['one']> | PlacesIn<M['other']> | 'count'
    : never

type Size = `${string}:bytes`
type Params<M> = {
  [P in Places<M> as P extends `${infer Name}:bytes` ? Name : P]: P extends Size ? number : string | number
}

/** What stands in the places of a message, as plain data. */
export type Values = Record<string, string | number>

/** What comes after the key of a message: nothing where the message has no places. */
export type ParamArguments<M> = [Places<M>] extends [never] ? [] : [params: Params<M>]

const place = /\{(\w+)(:bytes)?\}/g

/** The places of a message, for tests that hold the languages against each other. */
export function paramNames(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other]
  const names = texts.flatMap((text) => [...text.matchAll(place)].map((match) => match[0].slice(1, -1)))
  return [...new Set(names)].sort()
}

/** Puts values into a message. Numbers and sizes are written as the locale writes them. */
export function fill(message: Message, values: Values, locale: string): string {
  let text: string
  if (typeof message === 'string') text = message
  else
    text =
      formatter(Intl.PluralRules, locale, {}).select(Number(values.count)) === 'one'
        ? message.one
        : message.other
  return text.replaceAll(place, (whole, name: string, size: string | undefined) => {
    const value = values[name]
    if (value === undefined) return whole
    if (typeof value !== 'number') return value
    return size === undefined ? formatter(Intl.NumberFormat, locale, {}).format(value) : bytes(value, locale)
  })
}
