/** A text with `{name}` places, or one text per plural form; which form holds is decided by `count`. */
export type Message = string | PluralMessage

export interface PluralMessage {
  one: string
  other: string
}

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The names of a message's places, read from its text by the compiler. */
export type ParamName<M> = M extends string
  ? Names<M>
  : M extends PluralMessage
    ? Names<M['one']> | Names<M['other']> | 'count'
    : never

/** What `t` takes after the key: nothing where the message has no places. */
export type ParamArguments<M> = [ParamName<M>] extends [never]
  ? []
  : [params: Record<ParamName<M>, string | number>]

const place = /\{(\w+)\}/g

/** The names of a message's places, for tests that hold the languages against each other. */
export function paramNames(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other]
  const names = texts.flatMap((text) => [...text.matchAll(place)].map((match) => match[1] ?? ''))
  return [...new Set(names)].sort()
}

/** Puts parameters into a message. Numbers are written as the locale writes them. */
export function fill(message: Message, params: Record<string, string | number>, locale: string): string {
  let text: string
  if (typeof message === 'string') text = message
  else
    text = new Intl.PluralRules(locale).select(Number(params.count)) === 'one' ? message.one : message.other
  return text.replaceAll(place, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : value
  })
}
