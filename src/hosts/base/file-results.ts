import type { z } from 'zod'
import type { ItemResult } from '../../contract/areas/values/file-values.ts'
import { HostRefusal, hostRefusal } from './adapter.ts'

export type FileResult = z.input<typeof ItemResult>

/** One refused item doesn't fail the others, except where the key or the pace is what was refused. */
export async function resultOf(path: string, work: () => Promise<'done' | 'skipped'>): Promise<FileResult> {
  try {
    return { path, outcome: await work() }
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

export function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) }
}
