import { parentOf } from '../../../contract/rules/paths.ts'
import { createHash } from 'node:crypto'
import { api } from '../../../contract/areas/index.ts'
import type { FileEntry } from '../../../contract/bridge/values.ts'
import { PanelProblem } from '../../base/problem.ts'
import { pagesOf } from './expand-folder.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type TransferContext } from './context.ts'
import type { Source } from '../sources/local-file.ts'
import { type RemoteFiles, answerBytes } from './remote-files.ts'
import type { ItemRow } from '../store/rows.ts'

/** After a lost answer, files up to this size are compared by content, larger ones by size and time. */
const COMPARED_MOST = 4 * 1024 * 1024

/** Whether the file sent before a lost answer is there. `taken`: receipt was confirmed, so size is enough. */
export async function isSameAsRemote(
  context: TransferContext,
  path: string,
  ours: { size: number; modifiedAt: number | null; sha256: () => Promise<string>; taken?: boolean },
): Promise<boolean> {
  try {
    const opened = await context.client.open(
      api.files.read,
      { params: { serverId: context.transfer.serverId }, query: { path } },
      { signal: context.signal },
    )
    const sized = opened.size === null || opened.size === ours.size
    if (!sized || (opened.size ?? 0) > COMPARED_MOST) {
      opened.stream.destroy()
      if (sized && ours.taken) return true
      if (!sized || ours.modifiedAt === null || opened.modifiedAt === null) return false
      return Math.abs(Date.parse(opened.modifiedAt) - ours.modifiedAt) < 1000
    }
    const hash = createHash('sha256')
    for await (const chunk of answerBytes(context, opened.stream)) hash.update(chunk)
    return hash.digest('base64') === (await ours.sha256())
  } catch (error) {
    if (
      error instanceof PanelProblem &&
      ['not-found', 'unavailable', 'conflict', 'invalid'].includes(error.problem.code)
    )
      return false
    throw error
  }
}

export const isSent = (
  context: TransferContext,
  path: string,
  item: ItemRow,
  source: Source,
): Promise<boolean> =>
  isSameAsRemote(context, path, {
    size: source.size,
    modifiedAt: item.modifiedAt,
    async sha256() {
      // A remote source is hashed while it is read.
      if (source.size > 0) await source.piece(0, source.size, context.signal)
      return source.sha256()
    },
  })

export const isThereAsTaken = (context: TransferContext, path: string, source: Source): Promise<boolean> =>
  isSameAsRemote(context, path, {
    size: source.size,
    modifiedAt: null,
    sha256: () => source.sha256(),
    taken: true,
  }).catch((error: unknown) => {
    context.signal.throwIfAborted()
    if (error instanceof PanelProblem) return false
    throw error
  })

/** Null if missing. Throws if the list may be incomplete. */
export async function remoteEntry(
  client: TransferContext['client'],
  of: RemoteFiles,
  path: string,
): Promise<FileEntry | null> {
  const folder = parentOf(path)
  for await (const page of pagesOf(client, of, folder)) {
    const found = page.find((entry) => entry.name === nameOf(path))
    if (found) return found
  }
  return null
}
