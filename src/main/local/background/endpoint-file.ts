import { constants, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'

/** Where a data folder's background service listens. */
const BackgroundEndpoint = z.object({
  /** Path of a Unix socket, or name of a Windows pipe. */
  socket: z.string().max(5000),
  pid: z.number().int().positive(),
  version: z.string().max(100),
})
export type BackgroundEndpoint = z.infer<typeof BackgroundEndpoint>

const Failure = z.object({
  type: z.literal('failed'),
  code: z.string(),
  message: z.string().max(20_000),
  values: z.record(z.string(), z.string()),
})
export type Failure = z.infer<typeof Failure>

const MOST_BYTES = 64 * 1024

const endpointFile = (dataDir: string) => join(dataDir, 'background.json')
const failureFile = (dataDir: string) => join(dataDir, 'background-failed.json')
/** Its presence makes the next background service restore its database's newest copy. */
const restoreFile = (dataDir: string) => join(dataDir, 'background-restore.json')

export const writeEndpoint = (dataDir: string, endpoint: BackgroundEndpoint): void =>
  writeDataFile(endpointFile(dataDir), JSON.stringify(endpoint))

/** Null if missing or untrusted: a link, or a file owned by or readable by others. Never rejects. */
export async function readEndpoint(dataDir: string): Promise<BackgroundEndpoint | null> {
  // Not on Windows, where the user profile's rights apply.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(endpointFile(dataDir), flags).catch(() => null)
  if (!handle) return null
  try {
    const stat = await handle.stat()
    const me = process.getuid?.()
    if (!stat.isFile() || stat.size > MOST_BYTES) return null
    if (me !== undefined && (stat.uid !== me || (stat.mode & 0o077) !== 0)) return null
    return BackgroundEndpoint.parse(JSON.parse(await handle.readFile('utf8')))
  } catch {
    return null
  } finally {
    await handle.close().catch(() => undefined)
  }
}

export async function removeEndpoint(
  dataDir: string,
  { pid }: Pick<BackgroundEndpoint, 'pid'>,
): Promise<void> {
  if ((await readEndpoint(dataDir))?.pid === pid) remove(endpointFile(dataDir))
}

export const writeFailure = (dataDir: string, failure: Failure): void =>
  writeDataFile(failureFile(dataDir), JSON.stringify(failure))

export const readFailure = (dataDir: string): Promise<Failure | null> =>
  readDataJson(failureFile(dataDir), (value) => Failure.parse(value))

export const forgetFailure = (dataDir: string): void => remove(failureFile(dataDir))

export function askToRestore(dataDir: string, wanted: boolean): void {
  if (wanted) writeDataFile(restoreFile(dataDir), 'true')
  else remove(restoreFile(dataDir))
}

export async function takeRestore(dataDir: string): Promise<boolean> {
  const wanted = (await readDataJson(restoreFile(dataDir), (value) => value === true)) ?? false
  remove(restoreFile(dataDir))
  return wanted
}

function remove(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // Its content is validated on reading.
  }
}
