import { z } from 'zod'
import type { ViewKind } from '../../contract/bridge/values.ts'

const one = z.looseObject({})
const leftOut = z.array(one)
const list = z.looseObject({ items: z.array(one), leftOut })

/**
 * What everything that shows or changes a view relies on, by kind. A fault of the disk, or another version of the panel,
 * can leave a record that is JSON and something else all the same.
 */
const shapes: Record<ViewKind, z.ZodType> = {
  servers: list,
  server: one,
  status: one,
  config: z.looseObject({ config: one }),
  software: list.extend({ items: z.array(z.looseObject({ versions: z.array(one) })) }),
  account: one,
  folder: z.looseObject({ entries: z.array(one), leftOut }),
  trash: list,
  limits: one,
}

/** Whether what the disk holds can be a view of a kind. */
export const isShaped = (kind: ViewKind, value: unknown): boolean => shapes[kind].safeParse(value).success
