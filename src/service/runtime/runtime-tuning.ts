import type { AnswerTuning } from './awaited-answer.ts'
import type { ConsoleLimits } from './console/console-log.ts'
import type { StopLimits } from './programs/driver.ts'

/** Saving the world takes time. */
export const patient: StopLimits = { commandMs: 30_000, termMs: 10_000 }
export const hurried: StopLimits = { commandMs: 5_000, termMs: 3_000 }

export interface RuntimeTuning {
  stop?: StopLimits
  /** Limit for survivors after TERM, in ms. */
  survivorMs?: number
  answer?: AnswerTuning
  console?: Partial<ConsoleLimits>
  versionsMs?: number
}
