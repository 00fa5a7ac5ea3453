import { z } from 'zod'
import { always, maybe } from './fields.ts'

/** What stands in the places of a sentence, by their names. */
const Values = z.record(z.string(), z.union([z.string(), z.number()]))

/**
 * Why something failed that goes on by itself. `sentence` and `values` say which of the contract's sentences the message is
 * (`messages/refusals`), so that a panel can say it in its own language. Extensions.
 */
export const WhyFailed = z.object({
  code: always.text,
  message: always.text,
  sentence: maybe.text,
  values: Values.nullish(),
})

/**
 * The body of an error answer (§7; its shape is assumed). Every field is optional: a service may send none of it.
 * `sentence` and `values` are extensions, as in `WhyFailed`; so is `fieldSentences`, which says the same of the first message of
 * each field that is another than the error's own.
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
