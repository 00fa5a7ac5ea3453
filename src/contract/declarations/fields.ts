import { z } from 'zod'

// Shared field schemas: creating one per field made every program start a quarter longer. Annotations such as `idOf`
// and `textAlone` need a schema of their own.

export const maybe = {
  text: z.string().nullish(),
  flag: z.boolean().nullish(),
  number: z.number().nullish(),
  whole: z.number().int().nullish(),
  count: z.number().int().min(0).nullish(),
  amount: z.number().min(0).nullish(),
}

export const always = {
  text: z.string(),
  filled: z.string().min(1),
}
