import { Readable } from 'node:stream'
import { NO_ROOM, type ProblemCode } from '../../../contract/bridge/problem.ts'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { PanelProblem, problem, problemOf } from '../../base/problem.ts'
import { readSmallFiles } from '../sources/remote-small-files.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, type TransferContext, within } from '../items/context.ts'
import { NO_TARGET } from '../items/local-names.ts'
import type { Preflight } from '../queue/preflight.ts'
import { isSameAsRemote } from '../items/compare-remote.ts'
import { changedMeanwhile } from '../sources/local-file.ts'
import type { BatchSize, ItemRow, TransferRow } from '../store/rows.ts'

/** Limits of a batch, in bytes and files. */
const SMALL_BYTES = 256 * 1024
const BATCH_FILES = 250
const BATCH_BYTES = 16 * 1024 * 1024
/** Smaller for copies, which are in memory twice while packed. */
const COPIED_BYTES = 8 * 1024 * 1024
const PART = 128 * 1024

/** Null if the service doesn't accept batches. */
export function batchOf({ kind }: Pick<TransferRow, 'kind'>, { limits }: Preflight): BatchSize | null {
  const batch = limits?.batch
  if (!batch) return null
  return {
    maxFiles: Math.min(batch.maxFiles, BATCH_FILES),
    maxBytes: Math.min(batch.maxBytes, kind === 'copy' ? COPIED_BYTES : BATCH_BYTES),
    smallBytes: Math.min(SMALL_BYTES, limits?.maxFileBytes ?? SMALL_BYTES),
  }
}

export const isSmall = (item: ItemRow, batch: BatchSize): boolean =>
  item.kind === 'file' && item.size <= batch.smallBytes && item.resume === null && item.choice !== 'keep-both'

/** A result for each file. An existing file counts as ours only after a lost answer and a comparison. */
export async function uploadBatch(
  context: TransferContext,
  items: ItemRow[],
): Promise<Map<number, ItemOutcome>> {
  const ended = new Map<number, ItemOutcome>()
  const unsure = new Set(items.filter((item) => item.sent).map((item) => item.id))
  const { packed, sums } = await pack(context, items, ended)
  const sent = items.filter(({ id }) => sums.has(id))
  if (sent.length === 0) return ended

  // Recorded before the first byte: after a crash the files have to be compared.
  await context.store.changeAll(
    sent.map(({ id }) => id),
    { sent: true },
  )
  for (const item of sent) item.sent = true
  const choice = items[0]?.choice ?? null
  const { value } = await context.client.send(
    api.files.batch,
    {
      params: { serverId: context.transfer.serverId },
      // `replace` is idempotent; otherwise refuse, and report the existing file.
      query: { conflict: choice === 'replace' ? 'replace' : 'refuse' },
    },
    {
      content: Readable.from(context.limiter.pace(parts(packed), context.signal), {
        objectMode: false,
      }),
      contentType: 'application/x-tar',
      signal: context.signal,
    },
  )
  const results = new Map(value?.results.map((result) => [result.path, result]))
  for (const item of sent) {
    const result = results.get(item.target)
    const error = result?.error
    if (!result) ended.set(item.id, unanswered())
    else if (result.outcome === 'done') {
      const final = result.finalPath ?? item.target
      const moved = final === item.target ? null : within(context.transfer.folder, final)
      ended.set(item.id, { kind: 'done', finalPath: moved })
    } else if (result.outcome === 'skipped') ended.set(item.id, { kind: 'skipped' })
    else if (error?.code === 'files.exists') {
      const same =
        unsure.has(item.id) &&
        (await isSameAsRemote(context, item.target, {
          ...item,
          sha256: async () => Buffer.from(sums.get(item.id) ?? '', 'hex').toString('base64'),
        }))
      if (same) ended.set(item.id, { kind: 'done', finalPath: null })
      else ended.set(item.id, choice === 'skip' ? { kind: 'skipped' } : { kind: 'asking' })
    } else if (error?.code === 'files.checksum') {
      ended.set(item.id, { kind: 'again', because: changedMeanwhile(item.path) })
    } else {
      const why = error ? { message: error.message } : localized('send.not-kept')
      const noRoom = error && /^files\.(quota|disk-full)$/.test(error.code)
      const extra = {
        retryable: false,
        ...(error && { serviceCode: error.code }),
        ...(noRoom && { detail: NO_ROOM }),
      }
      ended.set(item.id, { kind: 'failed', problem: problemOf(codeOf(error?.code), why, extra) })
    }
  }
  return ended
}

/** Packs the readable files; results of the others are added to `ended`. Hex sums by item. */
async function pack(
  context: TransferContext,
  items: readonly ItemRow[],
  ended: Map<number, ItemOutcome>,
): Promise<{ packed: Uint8Array; sums: Map<number, string> }> {
  const targets = new Set<string>()
  let going: ItemRow[] = []
  for (const item of items) {
    // Results are by path, so two files of the same name can't share a batch.
    if (targets.has(item.target) && item.target !== NO_TARGET) ended.set(item.id, { kind: 'later' })
    else going.push(item)
    targets.add(item.target)
  }
  const contents = context.from ? await readSmallFiles(context, context.from, going, ended) : null
  going = going.filter(({ id }) => !ended.has(id))
  const { bytes, sha256, faults } = await context.bytes.packBatch(
    going.map(({ id, target, source, sourceAt, size, modifiedAt }) => {
      const content = contents?.get(id)
      return { path: target, source, sourceAt, size, modifiedAt, ...(content && { content }) }
    }),
  )
  context.signal.throwIfAborted()
  for (const { index, code } of faults) {
    const item = going[index] as ItemRow
    ended.set(item.id, await faulty(context, item, code))
  }
  const sums = new Map<number, string>()
  for (const [index, { id }] of going.entries()) {
    const sum = sha256[index]
    if (typeof sum === 'string') sums.set(id, sum)
  }
  return { packed: bytes, sums }
}

async function faulty(context: TransferContext, item: ItemRow, code: string): Promise<ItemOutcome> {
  if (code === 'CHANGED') return { kind: 'again', because: changedMeanwhile(item.path) }
  context.signal.throwIfAborted()
  const said = fsProblem({ code }, nameOf(item.path))
  const fault =
    said instanceof PanelProblem
      ? said
      : problem('invalid', localized('here.unreadable', { name: nameOf(item.path), code }))
  return { kind: 'failed', problem: fault.problem }
}

/** Maps the service's code: batch entries have no HTTP status. */
function codeOf(serviceCode: string | undefined): ProblemCode {
  switch (serviceCode) {
    case 'files.disk-full':
    case 'files.quota':
    case 'service.failed':
      return 'service-failed'
    case 'files.too-large':
      return 'too-large'
    case 'files.name-invalid':
    case 'files.outside':
      return 'invalid'
    default:
      return 'conflict'
  }
}

const unanswered = (): ItemOutcome => ({
  kind: 'again',
  because: problem('incompatible', localized('send.unanswered'), { retryable: true }),
})

function* parts(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART)
}
