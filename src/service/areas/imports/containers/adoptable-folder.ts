import { realpathSync } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { asOneLine } from '../../../../contract/messages/one-line.ts'
import { refusal } from '../../../../host/refusal.ts'
import type { ForeignContainer } from '../../../runtime/containers/foreign-container.ts'

const SHOWN_MOST = 300
const { R_OK, W_OK, X_OK } = constants

/**
 * The folder of a container's server, if it can be managed as a server's of ours. Throws 409 `adopted.no-folder`,
 * `adopted.not-readable`, `adopted.own-folder`, `adopted.other-user`, `adopted.other-disk`.
 */
export async function adoptableFolder(container: ForeignContainer, dataDir: string): Promise<string> {
  if (container.folder === null) throw refusal(409, 'adopted.no-folder')
  const folder = shownPath(container.folder)
  const { real, uid, dev } = await lookAt(container.folder).catch((error: NodeJS.ErrnoException) => {
    throw refusal(409, 'adopted.not-readable', { folder, code: error.code ?? error.message })
  })
  if (overlaps(real, realpathSync(dataDir))) throw refusal(409, 'adopted.own-folder', { folder })
  const user = process.getuid?.() ?? uid
  // What the panel writes has to stay the container's to change.
  if (uid !== user)
    throw refusal(409, 'adopted.other-user', { folder, owner: String(uid), user: String(user) })
  // Files are put in place by moving them.
  if (dev !== (await stat(dataDir)).dev) throw refusal(409, 'adopted.other-disk', { folder })
  return real
}

/** What an engine calls a path may be anything. */
export const shownPath = (folder: string): string => asOneLine(folder).slice(0, SHOWN_MOST)

async function lookAt(folder: string): Promise<{ real: string; uid: number; dev: number }> {
  const real = await realpath(folder)
  // With a slash, a file is an error.
  await access(real + path.sep, R_OK | W_OK | X_OK)
  const { uid, dev } = await stat(real)
  return { real, uid, dev }
}

/** Throws 409 `adopted.taken`. `folder` is a real path. */
export function requireUntaken(folder: string, others: Iterable<{ name: string; folder: string }>): void {
  for (const other of others)
    if (overlaps(folder, realOf(other.folder)))
      throw refusal(409, 'adopted.taken', { folder: shownPath(folder), server: other.name })
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** Their files are partly the same. */
const overlaps = (one: string, other: string): boolean => isIn(one, other) || isIn(other, one)

const isIn = (inner: string, outer: string): boolean =>
  `${inner}${path.sep}`.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep)
