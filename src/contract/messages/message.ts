import { shownBytes } from '../rules/raw-bytes.ts'
import { bytes, decimal, formatter } from './formatter.ts'

/** Placeholders: `{name}`, `{name:bytes}` (a size), `{name:part}` (id of a partial sentence). `count` chooses the plural. */
export type Message = string | PluralMessage

interface PluralMessage {
  one: string
  other: string
}

type PlaceholderIn<S extends string> = S extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlaceholderIn<Rest>
  : never

type PlaceholderOf<M> = M extends string
  ? PlaceholderIn<M>
  : M extends PluralMessage
    ? PlaceholderIn<M['one']> | PlaceholderIn<M['other']> | 'count'
    : never

type Size = `${string}:bytes`
type Part = `${string}:part`
type Params<M> = {
  [P in PlaceholderOf<M> as P extends `${infer Name}:${string}` ? Name : P]: P extends Size
    ? number
    : P extends Part
      ? string
      : string | number
}

export type Values = Record<string, string | number>

export type ParamArguments<M> = [PlaceholderOf<M>] extends [never] ? [] : [params: Params<M>]

const place = /\{(\w+)(:\w+)?\}/g

/** Placeholders, for tests that compare languages. */
export function paramNames(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other]
  const names = texts.flatMap((text) => [...text.matchAll(place)].map((match) => match[0].slice(1, -1)))
  return [...new Set(names)].sort()
}

/** Fills placeholders; numbers and sizes are formatted for the locale. */
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

/** Inserts parts, found in `texts` under `refused.part.` and their id. */
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

export const isFilled = (message: Message, values: Values): boolean =>
  paramNames(message).every((name) => {
    const [plain = '', kind] = name.split(':')
    return kind !== 'part' && (kind === 'bytes' ? typeof values[plain] === 'number' : plain in values)
  })
