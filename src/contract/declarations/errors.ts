import { z } from 'zod'
import { always, maybe } from './operation.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number()]))

/** Why a background task failed. `sentence` and `values` are for translation (`messages/refusals`). Extensions. */
export const FailureReason = z.object({
  code: always.text,
  message: always.text,
  sentence: maybe.text,
  values: Values.nullish(),
})

/**
 * Error body (§7; its shape is assumed). Every field is optional. Extensions: `sentence` and `values` as in
 * `FailureReason`, and `fieldSentences`, the same for each field's first message if it isn't the error's own.
 */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().optional(),
    message: z.string().optional(),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    requestId: z.string().optional(),
    sentence: z.string().optional(),
    values: Values.optional(),
    fieldSentences: z
      .record(z.string(), z.object({ sentence: always.text, values: Values.optional() }))
      .optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
