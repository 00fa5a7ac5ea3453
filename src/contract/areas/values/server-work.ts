import { z } from 'zod'
import { WhyFailed } from '../../declarations/errors.ts'
import { maybe } from '../../declarations/fields.ts'
import { openEnum, Time } from '../../declarations/operation.ts'

/**
 * What an installation does: copies what is there, fetches the Java it needs, fetches the software, sets it up, or fetches the
 * files of a modpack.
 */
export const InstallStep = openEnum(['copy', 'java', 'software', 'setup', 'pack'])
export type InstallStep = z.input<typeof InstallStep>

/** How far an installation is. Bytes; without a total nobody knows how many there will be. An extension. */
export const InstallProgress = z.object({
  step: InstallStep.nullish(),
  done: maybe.amount,
  total: maybe.amount,
  /** Whether Stop cancels it. */
  cancelable: maybe.flag,
})

/**
 * What was tried last with a server that is down, and failed: told until something is begun with it again. Without `work`
 * not everything need be as it was before; the message says how it is. An extension.
 */
export const FailedWork = z.object({
  work: openEnum(['install', 'change', 'pack', 'reset']).nullish(),
  error: WhyFailed.extend({ code: maybe.text }),
  at: Time.nullish(),
  /** What it was at. */
  step: InstallStep.nullish(),
})
export type FailedWork = z.output<typeof FailedWork>
