import type { z } from 'zod'
import type { FailedWork, InstallStep } from '../../contract/areas/values/server-work.ts'
import type { Told } from '../../contract/messages/refusals/index.ts'
import { diskFullRefusal } from '../base/disk-full.ts'
import { refusal, Refusal } from '../base/refusal.ts'

export type WorkKind = 'install' | 'change' | 'pack' | 'reset'

export type FailedWorkIn = z.input<typeof FailedWork>

/** Something has changed despite the error; the message says what. */
export class ToldInFull extends Error {
  override name = 'ToldInFull'
  readonly told: Told

  constructor(told: Told) {
    super(told.message)
    this.told = told
  }
}

/** Unexpected errors may contain paths of this computer, so only the console gets those. */
export function failedWork(kind: WorkKind, error: unknown, step: InstallStep | null = null): FailedWorkIn {
  const at = new Date().toISOString()
  // Without `work`, which would imply that it was not done.
  if (error instanceof ToldInFull) return { error: error.told, at, step }
  return { work: kind, error: refusalOf(error).asTold, at, step }
}

const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : (diskFullRefusal(error) ?? unexpected())

const unexpected = () => refusal(500, 'software.unexpected')
