import { rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'
import type { Runtime } from './types.ts'

const RestartList = z.array(z.string().max(100)).max(10_000)

const fileIn = (dataDir: string) => path.join(dataDir, 'start-again.json')

/** Records running servers for the next start, as after an update; not those being stopped. */
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

/** Reads and deletes the record, so a start that fails isn't repeated. Never rejects. */
export async function takeNoted(dataDir: string): Promise<ReadonlySet<string>> {
  const ids = await readDataJson(fileIn(dataDir), (value) => RestartList.parse(value))
  try {
    rmSync(fileIn(dataDir), { recursive: true, force: true })
  } catch {
    // If the record can't be deleted, ignore it: it would restart servers forever.
    return new Set()
  }
  return new Set(ids)
}
