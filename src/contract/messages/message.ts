import { shownBytes } from '../rules/raw-bytes.ts'
import { bytes, decimal, formatter } from './formatter.ts'

/**
 * A text with `{name}` places, or one text per plural form; which form holds is decided by `count`. What stands in a
 * place `{name:bytes}` is a size in bytes, and in a place `{name:part}` the id of a part of a sentence.
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
type Part = `${string}:part`
type Params<M> = {
  [P in Places<M> as P extends `${infer Name}:${string}` ? Name : P]: P extends Size
    ? number
    : P extends Part
      ? string
      : string | number
}

/** What stands in the places of a message, as plain data. */
export type Values = Record<string, string | number>

/** What comes after the key of a message: nothing where the message has no places. */
export type ParamArguments<M> = [Places<M>] extends [never] ? [] : [params: Params<M>]

const place = /\{(\w+)(:\w+)?\}/g

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
    if (typeof value !== 'number') return shownBytes(value)
    return size !== ':bytes' ? decimal(value, 3, locale) : bytes(value, locale)
  })
}

/** A message with its parts in their places, which are among the texts as `refused.part.` and their id. */
export function withParts(
  message: Message,
  values: Values,
  texts: { readonly [key in string]?: Message },
): Message {
  if (typeof message !== 'string')
    return {
      one: withParts(message.one, values, texts) as string,
      other: withParts(message.other, values, texts) as string,
    }
  return message.replaceAll(/\{(\w+):part\}/g, (whole, name: string) => {
    const part = texts[`refused.part.${values[name]}`]
    return typeof part === 'string' ? part : whole
  })
}

/** Whether everything is there that stands in the places of a message. */
export const isFilled = (message: Message, values: Values): boolean =>
  paramNames(message).every((name) => {
    const [plain = '', kind] = name.split(':')
    return kind !== 'part' && (kind === 'bytes' ? typeof values[plain] === 'number' : plain in values)
  })
