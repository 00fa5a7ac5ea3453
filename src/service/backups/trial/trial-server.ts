import { existsSync, lstatSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort, FIRST_GAME_PORT } from '../../base/host.ts'
import { refusal } from '../../../host/refusal.ts'
import { freeMemoryMb } from '../../../host/computer-memory.ts'
import { copyTree } from '../../files/safe-fs/copy-tree.ts'
import { openRoot } from '../../files/safe-fs/opened-folder.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { ServerFiles } from '../../files/server-files.ts'
import type { ApartResult } from '../../runtime/start-apart.ts'
import type { ServerSpec } from '../../runtime/types.ts'
import type { BackupRow } from '../../store/backups.ts'
import type { BackupContents } from '../backup-store.ts'
import type { BackupPorts } from '../ports.ts'
import type { WorkPorts } from '../works.ts'
import { SETTINGS_BYTES, SETTINGS_FILE, withProperties } from '../../worlds/server-properties.ts'
import { settingsEncoding } from '../../worlds/world-file.ts'

const MINUTES = 10
/** What backups leave out, but a start would have to fetch. */
const OF_SOFTWARE = ['cache', 'libraries', 'versions']

/** One at a time per server, so that what a killed service left is found. */
export const trialId = (serverId: string): string => `trial-${serverId}`

/** Nobody outside this computer reaches it, and nothing stays. */
export async function startApart(
  ports: BackupPorts,
  row: BackupRow,
  store: BackupContents,
  work: WorkPorts,
): Promise<ApartResult> {
  const { runtime, records, files } = ports
  const { spec } = runtime.find(row.serverId)
  const own = files.of(row.serverId)
  const id = trialId(row.serverId)
  if (row.software?.id !== spec.software.id || row.software.version !== spec.software.version)
    throw refusal(409, 'backups.other-software')
  const port = await findFreePort('127.0.0.1', ports.store.servers.ports(), FIRST_GAME_PORT + 10_000)
  if (port === null) throw refusal(409, 'server.no-port')
  const temp = own.newTemp()
  const at = (name: string) => path.join(temp, name)
  try {
    const bytes = row.bytes ?? 0
    using reservation = await own.space.reserve(bytes, bytes)
    for (const folder of [temp, at('server')]) await mkdir(folder, { mode: 0o700 })
    let last = 0
    await store.extract(row.id, null, at('server'), {
      signal: work.signal,
      progress(done) {
        reservation.wrote(done - last)
        work.progress((last = done), row.bytes)
      },
    })
    const trial = new ServerFiles({
      ...{ serverId: id, root: at('server'), staging: at('staging'), trash: at('trash') },
      ...{ maxFileBytes: null, quotaBytes: null, running: () => false },
    })
    await bringSoftware(own, trial, work.signal)
    files.lend(trial)
    if (row.software.installed) records.write(id, row.software.installed)
    requireRoom(spec)
    const apart: ServerSpec = { ...spec, id, folder: trial.root, host: '127.0.0.1', port }
    const limits = { signal: work.signal, minutes: MINUTES, prepared: () => changeSettings(trial, port) }
    return await runtime.startApart(apart, limits)
  } finally {
    files.forget(id)
    runtime.software(spec.software.id)?.installation?.forget(id)
    await records.forget(id)
    await removeTree(temp)
  }
}

/** Throws 409 `backups.no-memory`: what runs would suffer. */
export function requireRoom({ memoryMb }: Pick<ServerSpec, 'memoryMb'>): void {
  const free = freeMemoryMb()
  if (free !== null && free < memoryMb)
    throw refusal(409, 'backups.no-memory', { needed: String(memoryMb), free: String(free) })
}

async function bringSoftware(own: ServerFiles, trial: ServerFiles, signal: AbortSignal): Promise<void> {
  using from = openRoot(own.root)
  using to = openRoot(trial.root)
  for (const name of OF_SOFTWARE) {
    if (existsSync(path.join(trial.root, name)) || !existsSync(path.join(own.root, name))) continue
    await copyTree(own, { folder: from, name }, { folder: to, name }, signal, { wrote: () => undefined })
  }
}

/** Nobody but this computer reaches it, and no second door is open. Only for a folder that is ours. */
async function changeSettings({ root }: Pick<ServerFiles, 'root'>, port: number): Promise<void> {
  const file = path.join(root, SETTINGS_FILE)
  if (!existsSync(file) || !lstatSync(file).isFile() || lstatSync(file).size > SETTINGS_BYTES) return
  const bytes = await readFile(file)
  const encoding = settingsEncoding(bytes)
  const text = bytes.toString(encoding)
  const closed = new Map<string, string | null>([
    ['server-ip', '127.0.0.1'],
    ['server-port', String(port)],
    ['enable-rcon', 'false'],
    ['enable-query', 'false'],
    ['management-server-enabled', 'false'],
  ])
  await writeFile(file, Buffer.from(withProperties(text, closed) ?? text, encoding))
}
