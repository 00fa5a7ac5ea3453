import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '../../contract/areas/index.ts'
import type { Backup } from '../../contract/areas/backups.ts'
import type { CopyProgress } from '../../contract/bridge/copy-calls.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { patiently } from '../api/patience.ts'
import type { Digest } from '../api/requests/content.ts'
import { problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import { answerBytes, openRemote } from '../transfers/items/remote-files.ts'
import { checkRoom } from './fetch-file.ts'
import type { RemoteServer } from './remote-tree.ts'

/** Beside the copies of a server. */
const FOLDER = 'host backups'
const SAVED = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d [\w-]{1,8}\.tar\.gz$/
const TRIES_MOST = 5
const WITHIN_MS = 5 * 60_000

export interface BackupWork extends RemoteServer {
  /** Of this server's copies. */
  folder: string
  keep: number
  clock: Clock
  progress: (now: CopyProgress) => void
}

interface HostBackup {
  id: string
  /** By its time (UTC), so that names sort. */
  name: string
  bytes: number
}

/** Saves those of the newest backups of a host that aren't here yet, and keeps as many as copies. */
export async function saveHostBackups(work: BackupWork): Promise<void> {
  const { client, serverId, signal, keep } = work
  const folder = join(work.folder, FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { items } = (await client.send(api.backups.list, { params: { serverId } }, { signal })).value
  const newest = items
    .flatMap((one) => hostBackupOf(one) ?? [])
    .sort((a, b) => b.name.localeCompare(a.name))
    .slice(0, keep)
  const here = new Set(await readdir(folder))
  for (const backup of newest) {
    if (here.has(backup.name)) continue
    await patiently(() => save(work, folder, backup), {
      ...{ clock: work.clock, signal, most: TRIES_MOST, within: WITHIN_MS },
    })
  }
  const wanted = new Set(newest.map(({ name }) => `${name}.part`))
  const left = (await readdir(folder)).filter((name) => name.endsWith('.part') && !wanted.has(name))
  for (const name of left) await rm(join(folder, name), { force: true })
  const saved = (await readdir(folder)).filter((name) => SAVED.test(name)).sort()
  for (const name of saved.slice(0, -keep)) await rm(join(folder, name), { force: true })
}

function hostBackupOf({ id, state, createdAt, bytes }: Backup): HostBackup | null {
  if (state !== 'done' || !createdAt) return null
  const time = new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  const name = `${time} ${id.replaceAll(/[^\w-]/g, '').slice(0, 8)}.tar.gz`
  return SAVED.test(name) ? { id, name, bytes: bytes ?? 0 } : null
}

/** What an earlier try left is continued if a checksum will prove it. */
async function save(work: BackupWork, folder: string, { id, name, bytes }: HostBackup): Promise<void> {
  const { client, serverId, signal, progress } = work
  const part = join(folder, `${name}.part`)
  const begun = (await stat(part).catch(() => null))?.size ?? 0
  const from = begun > 0 && begun < bytes ? begun : 0
  await checkRoom(folder, bytes - from)
  const range = from > 0 && { range: `bytes=${from}-` }
  const opened = await openRemote(client, { serverId, backup: id }, '', { signal, ...range })
  try {
    let at = opened.status === 206 && opened.digest ? opened.offset : 0
    if (opened.status === 416 || at !== opened.offset) {
      await rm(part, { force: true })
      throw problem('offline', localized('answer.ended-early'))
    }
    const size = opened.size ?? bytes
    await using file = await open(part, at === 0 ? 'w' : 'r+', 0o600)
    for await (const chunk of answerBytes({ client, signal }, opened.stream)) {
      if (at + chunk.length > size) break
      await file.write(chunk, 0, chunk.length, at)
      at += chunk.length
      progress({ kind: 'fetching', bytes: size, bytesDone: at })
    }
    if (at < size) throw problem('offline', localized('answer.ended-early'))
    await file.sync()
  } finally {
    opened.stream.destroy()
  }
  if (opened.digest && !(await hasDigest(part, opened.digest, signal))) {
    await rm(part, { force: true })
    throw problem('incompatible', localized('send.damaged'), { retryable: false })
  }
  await rename(part, join(folder, name))
}

async function hasDigest(file: string, { algorithm, value }: Digest, signal: AbortSignal): Promise<boolean> {
  const hash = createHash(algorithm)
  for await (const piece of createReadStream(file, { signal })) hash.update(piece as Buffer)
  return hash.digest('base64') === value
}

/** What is saved of a host's backups. */
export async function savedHostBackups(folder: string): Promise<{ count: number; bytes: number }> {
  const names = (await readdir(join(folder, FOLDER)).catch(() => [])).filter((name) => SAVED.test(name))
  let bytes = 0
  for (const name of names) bytes += (await stat(join(folder, FOLDER, name)).catch(() => null))?.size ?? 0
  return { count: names.length, bytes }
}
