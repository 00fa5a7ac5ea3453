import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { fetchInto } from '../download/download.ts'
import { uploadByForm } from './form.ts'
import { away, passes } from '../../base/backoff.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, type TransferContext } from '../items/context.ts'
import { changedMeanwhile, localFileSource } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'

/** Without tus the hash comes first, so the file is stored here: until the copy ends, even across a crash. */
export async function copyByForm(
  context: TransferContext,
  from: ApiClient,
  item: ItemRow,
): Promise<ItemOutcome> {
  const waiting = waitingFile(context, item)
  let ended: ItemOutcome | null = null
  let goesOn = false
  try {
    if (!(await fetchWhole(context, from, item, waiting))) {
      return (ended = { kind: 'again', because: changedMeanwhile(item.path) })
    }
    const { mtimeMs } = await stat(waiting)
    const source = localFileSource(
      context.bytes,
      { ...item, source: waiting, modifiedAt: Math.trunc(mtimeMs) },
      null,
    )
    try {
      return (ended = await uploadByForm(context, item, source))
    } finally {
      source.close()
    }
  } catch (error) {
    const why = error instanceof PanelProblem ? error.problem : null
    goesOn = context.signal.aborted || (why !== null && (away.has(why.code) || passes(why)))
    context.signal.throwIfAborted()
    throw fsProblem(error, nameOf(item.path))
  } finally {
    if (ended?.kind !== 'asking' && !goesOn) await rm(waiting, { force: true })
  }
}

/** In the transfer's folder, which is removed with the transfer. */
const waitingFile = (context: TransferContext, item: ItemRow) =>
  join(context.spoolFolder, item.transferId, `${item.id}.copy`)

/** Returns false if the source has changed. */
async function fetchWhole(
  context: TransferContext,
  from: ApiClient,
  item: ItemRow,
  waiting: string,
): Promise<boolean> {
  await mkdir(dirname(waiting), { recursive: true, mode: 0o700 })
  const there = item.etag === null ? 0 : ((await stat(waiting).catch(() => null))?.size ?? 0)
  const begun = there > item.size ? 0 : there
  if (begun === item.size && begun > 0) return true
  await checkRoom(waiting, item, begun)
  const serverId = context.transfer.fromServerId ?? ''
  // Bytes count only once the destination has them.
  return fetchInto(context, item, waiting, begun, {
    client: from,
    of: { serverId, backup: null },
    counts: false,
  })
}

async function checkRoom(waiting: string, item: ItemRow, begun: number): Promise<void> {
  const disk = await statfs(dirname(waiting)).catch(() => null)
  const free = disk ? disk.bavail * disk.bsize : Infinity
  if (free >= item.size - begun) return
  throw problem(
    'too-large',
    localized('here.no-room-to-wait', { name: nameOf(item.path), needed: item.size - begun, free }),
    { retryable: false, serviceCode: 'computer.disk-full' },
  )
}
