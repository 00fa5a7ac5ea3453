import { chmod, lstat, open, rm, statfs, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileTime } from '../../host/file-time.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { patiently } from '../api/patience.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import { openRemote, answerBytes } from '../transfers/items/remote-files.ts'
import type { RemoteFile, RemoteServer } from './remote-tree.ts'

const TRIES_MOST = 5
const WITHIN_MS = 5 * 60_000
/** A file may have grown by this since it was listed; more is listed again first. In bytes. */
const GROWN_MOST = 256 * 1024 * 1024
/** Left free on the disk, in bytes. */
const SPARE = 64 * 1024 * 1024

export interface FetchPorts {
  clock: Clock
  /** Received bytes; negative before they are read again. */
  received: (bytes: number) => void
}

export type FetchResult =
  /** `hereAt`: its time here. `isSame`: it has the listed size. */
  | { kind: 'here'; hereAt: number; isSame: boolean }
  | { kind: 'changed' | 'gone' }
  | { kind: 'unread'; because: PanelProblem }
  | { kind: 'name' }

/** What the names of a service can bring about on this disk. */
const NAME_FAULTS = new Set(['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ENOENT', 'ENOTDIR'])

/** Whether an error of this disk is due to a name. */
export const isNameFault = (error: unknown): boolean =>
  NAME_FAULTS.has((error as NodeJS.ErrnoException | null)?.code ?? '')

/** Of these, no other file can be read either. */
const ENDS = new Set(['signed-out', 'offline', 'untrusted', 'local-failed', 'unavailable', 'rate-limited'])

/** Throws if nothing else can be fetched either. */
export async function fetchFile(
  server: RemoteServer,
  file: RemoteFile,
  target: string,
  ports: FetchPorts,
): Promise<FetchResult> {
  const { signal } = server
  try {
    return await patiently(() => fetchOnce(server, file, target, ports), {
      ...{ clock: ports.clock, signal, most: TRIES_MOST, within: WITHIN_MS },
    })
  } catch (error) {
    signal.throwIfAborted()
    if (isNameFault(error)) return { kind: 'name' }
    if (!(error instanceof PanelProblem) || ENDS.has(error.problem.code) || isOfDisk(error)) throw error
    return error.problem.code === 'not-found' ? { kind: 'gone' } : { kind: 'unread', because: error }
  }
}

const isOfDisk = ({ problem: { serviceCode } }: PanelProblem) => serviceCode === 'computer.copies'

async function fetchOnce(
  server: RemoteServer,
  file: RemoteFile,
  target: string,
  { received }: FetchPorts,
): Promise<FetchResult> {
  const { client, serverId, signal } = server
  const opened = await openRemote(client, { serverId, backup: null }, file.path, { signal })
  const size = opened.size ?? file.size
  let at = 0
  try {
    if (size > file.size + GROWN_MOST) return { kind: 'changed' }
    if (size > file.size) await checkRoom(dirname(target), size - file.size)
    // An earlier one can't be written to.
    await rm(target, { force: true })
    await using here = await open(target, 'wx', 0o600)
    for await (const chunk of answerBytes({ client, signal }, opened.stream)) {
      if (at + chunk.length > size) return { kind: 'changed' }
      await here.write(chunk, 0, chunk.length, at)
      at += chunk.length
      received(chunk.length)
    }
    if (at < size && opened.size !== null) throw problem('offline', localized('answer.ended-early'))
    await here.sync()
  } catch (error) {
    received(-at)
    throw error
  } finally {
    opened.stream.destroy()
  }
  return { kind: 'here', hereAt: await settle(target, file), isSame: at === file.size }
}

/** Gives a file its time; read-only, since copies share it. Returns its time here. */
export async function settle(target: string, { modifiedAt }: RemoteFile): Promise<number> {
  if (modifiedAt !== null) await utimes(target, fileTime(modifiedAt), fileTime(modifiedAt))
  await chmod(target, 0o400)
  return (await lstat(target)).mtimeMs
}

/** Throws if the disk of a folder hasn't so many bytes left. */
export async function checkRoom(folder: string, needed: number): Promise<void> {
  const disk = await statfs(folder).catch(() => null)
  const free = disk && disk.bavail * disk.bsize
  if (free === null || free >= needed + SPARE) return
  throw problem('too-large', localized('copies.no-room', { needed, free }), {
    ...{ retryable: false, serviceCode: 'computer.copies' },
  })
}
