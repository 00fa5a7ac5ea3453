import type { z } from 'zod'
import type { FailedWork, InstallStep } from '../../contract/areas/values/server-work.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'
import { diskFullRefusal } from '../base/computer-limits.ts'
import { refusal, Refusal } from '../../host/refusal.ts'

export type WorkKind = 'install' | 'change' | 'pack' | 'reset' | 'restore'

export type FailedWorkInput = z.input<typeof FailedWork>

/** Something has changed despite the error; the message says what. */
export class PartialChangeError extends Error {
  override name = 'PartialChangeError'
  readonly told: RefusalText

  constructor(told: RefusalText) {
    super(told.message)
    this.told = told
  }
}

/** Unexpected errors may contain paths of this computer, so only the console gets those. */
export function failedWork(kind: WorkKind, error: unknown, step: InstallStep | null = null): FailedWorkInput {
  const at = new Date().toISOString()
  // Without `work`, which would imply that it was not done.
  if (error instanceof PartialChangeError) return { error: error.told, at, step }
  return { work: kind, error: refusalOf(error).asTold, at, step }
}

const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : (diskFullRefusal(error) ?? unexpected())

const unexpected = () => refusal(500, 'software.unexpected')
