import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** Direction marks, which would reorder text next to them. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/** A single line without control characters, cut to `most` characters. */
export const line = (most: number) =>
  z.string().transform((text) =>
    stripVTControlCharacters(text.slice(0, most * 4))
      .replaceAll(/\p{Cc}+/gu, ' ')
      .replaceAll(DIRECTIONS, '')
      .trim()
      .slice(0, most)
      // A lone surrogate can't be part of a URL.
      .toWellFormed(),
  )

export const lineOrNull = (most: number) =>
  line(most)
    .nullish()
    .catch(null)
    .transform((text) => text || null)

export const proseOrNull = (most: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((text) => (text ? text.slice(0, most).toWellFormed() : null))

/** Up to `most` valid entries; empty if not a list. */
export const some = <T extends z.ZodType>(item: T, most: number) =>
  z.unknown().transform((all): z.output<T>[] =>
    Array.isArray(all)
      ? all.slice(0, most).flatMap((one) => {
          const parsed = item.safeParse(one)
          return parsed.success ? [parsed.data] : []
        })
      : [],
  )

/** An untrusted object: z.record would validate each of a hundred thousand keys. */
export const UntrustedRecord = z.custom<Readonly<Record<string, unknown>>>(
  (all) => typeof all === 'object' && all !== null && !Array.isArray(all),
)

export const CountOrNull = z
  .number()
  .int()
  .min(0)
  .nullish()
  .catch(null)
  .transform((count) => count ?? null)
