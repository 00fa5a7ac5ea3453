import { z } from 'zod'

/** The body of an error answer (§7; its shape is assumed). Every field is optional: a service may send none of it. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().optional(),
    message: z.string().optional(),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    requestId: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
