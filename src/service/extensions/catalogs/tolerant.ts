import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** What turns the direction of the text after it, and would reorder what stands beside it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/** One line of at most so many characters, without what only a terminal or a layout understands. */
export const line = (most: number) =>
  z.string().transform((text) =>
    stripVTControlCharacters(text.slice(0, most * 4))
      .replaceAll(/\p{Cc}+/gu, ' ')
      .replaceAll(DIRECTIONS, '')
      .trim()
      .slice(0, most)
      // Half a character, sent or left by the cut, could not become part of an address.
      .toWellFormed(),
  )

/** Such a line; null where it is missing, empty or none. */
export const lineOrNull = (most: number) =>
  line(most)
    .nullish()
    .catch(null)
    .transform((text) => text || null)

/** Text of several lines, such as Markdown, cut at so many characters; null where it is missing, empty or none. */
export const proseOrNull = (most: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((text) => (text ? text.slice(0, most).toWellFormed() : null))

/** The entries of a list that can be read, at most so many; of what is no list, none. */
export const some = <T extends z.ZodType>(item: T, most: number) =>
  z.unknown().transform((all): z.output<T>[] =>
    Array.isArray(all)
      ? all.slice(0, most).flatMap((one) => {
          const parsed = item.safeParse(one)
          return parsed.success ? [parsed.data] : []
        })
      : [],
  )

/** Values by names of somebody else's: the parser's own would look at each of a hundred thousand names. */
export const ByName = z.custom<Readonly<Record<string, unknown>>>(
  (all) => typeof all === 'object' && all !== null && !Array.isArray(all),
)

/** A count; null where it is none. */
export const CountOrNull = z
  .number()
  .int()
  .min(0)
  .nullish()
  .catch(null)
  .transform((count) => count ?? null)
