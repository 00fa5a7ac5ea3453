import { z } from 'zod'
import { FailureReason } from '../../declarations/errors.ts'
import { openEnum, Time, maybe } from '../../declarations/operation.ts'

/** Copies the server, fetches Java, fetches the software, sets it up, fetches a modpack's files, or restores a backup. */
export const InstallStep = openEnum(['copy', 'java', 'software', 'setup', 'pack', 'restore'])
export type InstallStep = z.input<typeof InstallStep>

/** Bytes; without a total the size is unknown. An extension. */
export const InstallProgress = z.object({
  step: InstallStep.nullish(),
  done: maybe.amount,
  total: maybe.amount,
  cancelable: maybe.flag,
})

/** The last failed work on a stopped server. Without `work` the previous state may be incomplete;
 * with `find` it isn't known whether it is stopped. An extension. */
export const FailedWork = z.object({
  work: openEnum(['install', 'change', 'pack', 'reset', 'restore', 'find']).nullish(),
  error: FailureReason.extend({ code: maybe.text }),
  at: Time.nullish(),
  step: InstallStep.nullish(),
})
export type FailedWork = z.output<typeof FailedWork>
