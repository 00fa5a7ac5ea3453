import { rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'
import type { Runtime } from './types.ts'

/** Far more than one computer runs. */
const Noted = z.array(z.string().max(100)).max(10_000)

const fileIn = (dataDir: string) => path.join(dataDir, 'start-again.json')

/**
 * Notes which of these servers run, for the next start: who stops the service for an update, say, does not want them
 * stopped. One that a person is stopping this moment is left out. Throws where it cannot be noted.
 */
export function noteRunning(
  dataDir: string,
  servers: readonly { id: string }[],
  runtime: Pick<Runtime, 'status'>,
): void {
  const runs = ({ id }: { id: string }) =>
    ['starting', 'online'].includes(runtime.status(id)?.status ?? 'offline')
  const ids = servers.filter(runs).map(({ id }) => id)
  if (ids.length > 0) writeDataFile(fileIn(dataDir), JSON.stringify(ids))
}

/** The servers that were noted, once: what happens from here on, the next start does not try it again. Never rejects. */
export async function takeNoted(dataDir: string): Promise<ReadonlySet<string>> {
  const ids = await readDataJson(fileIn(dataDir), (value) => Noted.parse(value))
  try {
    rmSync(fileIn(dataDir), { recursive: true, force: true })
  } catch {
    // Started again at every start they would outlive the wish of whoever stopped them.
    return new Set()
  }
  return new Set(ids)
}
