import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { WrittenFile } from '../../../contract/areas/values/file-values.ts'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { readAs } from '../../api/answers/read-answer.ts'

/** Kept copies are deleted only after a proven write. */
export const notProven = () =>
  problem('unconfirmed', localized('file.not-proven'), { retryable: false, unsure: true })

/** Whether a write's answer names the expected file. */
export function names(answer: z.output<typeof WrittenFile> | null, path: string, size: number): boolean {
  const { entry } = answer ?? {}
  if (!entry || entry.kind === 'folder') return false
  const sized = entry.size === null || entry.size === undefined || entry.size === size
  return sized && entry.name === path.slice(path.lastIndexOf('/') + 1)
}

export const namesIn = (json: unknown, path: string, size: number): boolean =>
  names(readAs(WrittenFile, json), path, size)

/** Compares content; false if the file is unreadable. */
export async function holds(
  client: ApiClient,
  { serverId, path }: { serverId: string; path: string },
  content: () => Promise<Readable>,
): Promise<boolean> {
  try {
    const { stream } = await client.open(api.files.read, { params: { serverId }, query: { path } })
    return (await sumOf(stream)) === (await sumOf(await content()))
  } catch (error) {
    if (error instanceof PanelProblem) return false
    throw error
  }
}

async function sumOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of stream as AsyncIterable<Uint8Array>) hash.update(piece)
  return hash.digest('hex')
}
