import { z } from 'zod'
import { lineBounds } from '../../contract/areas/console.ts'
import type { Sentence } from '../../contract/messages/localized-text.ts'

const { sentences, values, key, value } = lineBounds

const Told = z
  .array(
    z.object({
      sentence: z.string().max(key),
      values: z
        .record(z.string().max(key), z.union([z.string().max(value), z.number()]))
        .refine((record) => Object.keys(record).length <= values)
        .nullish(),
    }),
  )
  .min(1)
  .max(sentences)

/** Null unless all of a line's sentences are within bounds: it is shown as its text then. */
export function toldSentences(raw: unknown): Sentence[] | null {
  if (raw === undefined || raw === null) return null
  const { data } = Told.safeParse(raw)
  return (
    data?.map(({ sentence, values: own }) => ({
      key: `refused.${sentence}` as const,
      ...(own && { values: own }),
    })) ?? null
  )
}
