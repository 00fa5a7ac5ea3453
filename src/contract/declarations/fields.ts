import { z } from 'zod'

/*
 * Fields that many declarations have alike. Each is one schema for all of them: the contract is made at every start of
 * every program, and with one of its own for each field that took a quarter longer. What notes something about a schema,
 * such as `idOf` and `textAlone`, takes one that is its own.
 */

/** A field that may be left out, or null. */
export const maybe = {
  text: z.string().nullish(),
  flag: z.boolean().nullish(),
  number: z.number().nullish(),
  whole: z.number().int().nullish(),
  /** A whole number from 0 on. */
  count: z.number().int().min(0).nullish(),
  /** A number from 0 on. */
  amount: z.number().min(0).nullish(),
}

/** A field that is always there. */
export const always = {
  text: z.string(),
  /** A text that is not empty. */
  filled: z.string().min(1),
}
