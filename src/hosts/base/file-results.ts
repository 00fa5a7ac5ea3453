import type { z } from 'zod'
import type { ItemResult } from '../../contract/areas/values/file-values.ts'
import { HostRefusal, hostRefusal } from './adapter.ts'

export type FileResult = z.input<typeof ItemResult>

/** `finalPath`: done, under another name. */
type FileOutcome = 'done' | 'skipped' | { finalPath: string }

/** Of what was to be at `to` and is at `path`; null: it was skipped. */
export const outcomeAt = (path: string | null, to: string): FileOutcome =>
  path === null ? 'skipped' : path === to ? 'done' : { finalPath: path }

/** One refused item doesn't fail the others, except where the key or the pace is what was refused. */
export async function resultOf(path: string, work: () => Promise<FileOutcome>): Promise<FileResult> {
  try {
    const outcome = await work()
    return typeof outcome === 'string' ? { path, outcome } : { path, outcome: 'done', ...outcome }
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error
    const { told, message, status } = error
    if (status === 401 || status === 429) throw error
    const code = told?.sentence ?? 'host.said'
    return {
      path,
      outcome: 'failed',
      error: { code, message, ...(told && { sentence: told.sentence, values: told.values }) },
    }
  }
}

export const fileExists = (path: string): HostRefusal => hostRefusal(409, 'files.exists', { path })
