import { z } from 'zod'
import { maybe } from '../../declarations/fields.ts'
import { openEnum } from '../../declarations/operation.ts'

/** Who wakes a sleeping server by joining it. Names are not verified: only the server itself can do that. */
export const WAKES = ['anybody', 'whitelist', 'nobody'] as const

/** Without `afterMinutes` it stays on: null would count as not told. An extension. */
export const SleepConfig = z.object({
  /** So long without players. */
  afterMinutes: maybe.whole,
  wake: openEnum(WAKES).nullish(),
})

/** Null turns it off. */
export const SleepConfigChange = z.object({
  afterMinutes: z.number().int().min(1).max(1440),
  wake: z.enum(WAKES),
})
