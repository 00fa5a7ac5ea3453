import { refusal, Refusal } from '../../host/refusal.ts'
import type { Software } from '../software/software.ts'
import type { VersionEntry } from './types.ts'

const VERSIONS_MS = 10_000

/** Newest first. `closing`: of the service. Throws Refusal 503 if its catalog is slow. */
export async function versionsOf(
  { name, versions }: Software,
  closing: AbortSignal,
  patienceMs: number = VERSIONS_MS,
): Promise<VersionEntry[]> {
  const tooLong = AbortSignal.timeout(patienceMs)
  try {
    return await versions(AbortSignal.any([closing, tooLong]))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (closing.aborted) throw refusal(503, 'service.stopping')
    if (tooLong.aborted) throw refusal(503, 'software.catalogue-slow', { name })
    throw error
  }
}
