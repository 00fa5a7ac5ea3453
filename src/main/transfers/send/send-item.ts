import { api } from '../../../contract/areas/index.ts'
import { localizedError } from '../../../contract/messages/error-report.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { isPanel } from '../../../contract/rules/hosts.ts'
import type { PanelProblem } from '../../base/problem.ts'
import { problem } from '../../base/problem.ts'
import { copyByForm } from './copy-by-form.ts'
import { COPY_PIECE, remoteFileSource } from '../sources/remote-file.ts'
import { downloadFile } from '../download/download.ts'
import { downloadFolder, copyFolder } from '../items/expand-folder.ts'
import { uploadByForm } from './form.ts'
import { keepBoth } from './keep-both.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, type TransferContext } from '../items/context.ts'
import { NO_TARGET, unusableName } from '../items/local-names.ts'
import { localFileSource, type Source, statFile } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'
import { abandonUpload, TusSupportError, uploadByTus } from './tus.ts'

/** Sends or downloads one item. Throws a `PanelProblem` or the abort reason. */
export async function sendItem(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const { kind } = context.transfer
  if (item.target === NO_TARGET) throw unusableName(kind, item.source)
  if (item.kind === 'folder') {
    if (kind === 'download') return downloadFolder(context, item)
    if (kind === 'copy') return copyFolder(context, item)
    return makeFolder(context, item)
  }
  switch (kind) {
    case 'download':
      return downloadFile(context, item)
    case 'upload':
      return item.source === '' ? sendGrowingFile(context, item) : sendLocalFile(context, item)
    case 'copy': {
      const { from } = context
      if (!from) throw problem('not-found', localized('send.from-gone'))
      checkSize(context, item)
      return send(
        context,
        item,
        context.source(item, () => remoteFileSource(context, from, item)),
        COPY_PIECE,
      )
    }
  }
}

async function sendLocalFile(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const now = await statFile(item)
  if (now.size !== item.size || now.modifiedAt !== item.modifiedAt) {
    // The source was replaced: discard what was begun.
    context.release(item)
    await abandonUpload(context, item)
    await context.keep(item, { ...now, bytesDone: 0 })
  }
  checkSize(context, item)
  const source = context.source(item, () => localFileSource(context.bytes, item, null))
  return send(context, item, source, undefined)
}

async function sendGrowingFile(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const growing = context.growing(item)
  if (!growing) return { kind: 'gathering' }
  // Only in memory: the queue records a source once it is complete.
  item.source = growing.path
  checkSize(context, item)
  const source = () => context.source(item, () => localFileSource(context.bytes, item, growing))
  // Left over from an interrupted attempt.
  if (source().growing !== growing) context.release(item)
  try {
    return await send(context, item, source(), undefined)
  } catch (error) {
    if (growing.hasFailed && !context.signal.aborted) return { kind: 'gathering' }
    throw error
  }
}

function send(
  context: TransferContext,
  item: ItemRow,
  source: Source,
  pieceMost: number | undefined,
): Promise<ItemOutcome> {
  const once = () => sendAs(context, item, source, pieceMost)
  return item.choice === 'keep-both' ? keepBoth(context, item, source, once) : once()
}

async function sendAs(
  context: TransferContext,
  item: ItemRow,
  source: Source,
  pieceMost: number | undefined,
): Promise<ItemOutcome> {
  const resumable = context.limits?.resumable ?? null
  if (resumable !== false) {
    try {
      return await uploadByTus(context, item, source, {
        target: item.target,
        sure: resumable === true,
        ...(pieceMost === undefined ? {} : { pieceMost }),
      })
    } catch (error) {
      if (!(error instanceof TusSupportError)) throw error
    }
  }
  if (context.from) return copyByForm(context, context.from, item)
  return uploadByForm(context, item, source)
}

/** Throws if the file exceeds the service's limit. */
function checkSize(context: Pick<TransferContext, 'limits' | 'client'>, item: ItemRow): void {
  const most = context.limits?.maxFileBytes
  if (most !== null && most !== undefined && item.size > most)
    throw tooLarge(item, most, context.client.baseUrl)
}

export function tooLarge(
  { path, size }: Pick<ItemRow, 'path' | 'size'>,
  most: number,
  baseUrl: string,
): PanelProblem {
  const sentence = isPanel(baseUrl)
    ? localizedError(refusalText('host.upload-size', { most: most / MB }))
    : localized('send.too-large', { name: nameOf(path), size, most })
  return problem('too-large', sentence, { serviceCode: 'files.too-large' })
}
const MB = 1024 * 1024

async function makeFolder(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  await context.client.send(
    api.files.folder,
    { params: { serverId: context.transfer.serverId }, body: { path: item.target, conflict: 'skip' } },
    { signal: context.signal },
  )
  return { kind: 'done', finalPath: null }
}
