import type { z } from 'zod'
import type { FailedWork, InstallStep } from '../../contract/areas/values/server-work.ts'
import type { Told } from '../../contract/messages/refusals/index.ts'
import { diskFullRefusal } from '../base/disk-full.ts'
import { refusal, Refusal } from '../base/refusal.ts'

/** What can be done with a server that is down, and takes its time. */
export type WorkKind = 'install' | 'change' | 'pack' | 'reset'

/** What a status tells of work that failed, before parsing. */
export type FailedWorkIn = z.input<typeof FailedWork>

/** An error after which not everything is as it was before; its message says how it is. */
export class ToldInFull extends Error {
  override name = 'ToldInFull'
  readonly told: Told

  constructor(told: Told) {
    super(told.message)
    this.told = told
  }
}

/**
 * What is told of an error to whoever may read the status. What nobody foresaw may name folders of this computer: that
 * stands in the console alone.
 */
export function failedWork(kind: WorkKind, error: unknown, step: InstallStep | null = null): FailedWorkIn {
  const at = new Date().toISOString()
  // Whether it was done nobody should read out of it.
  if (error instanceof ToldInFull) return { error: error.told, at, step }
  return { work: kind, error: refusalOf(error).asTold, at, step }
}

const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : (diskFullRefusal(error) ?? unexpected())

const unexpected = () => refusal(500, 'software.unexpected')
