import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import type { RawAnswer, RawRequest } from '../../api/requests/raw.ts'
import { retryAfterSeconds } from '../../base/retry.ts'
import { changedMeanwhile, type Source } from '../sources/local-file.ts'
import {
  type ItemOutcome,
  errorCode,
  errorMessage,
  finalPath,
  type TransferContext,
} from '../items/context.ts'
import { isSent } from '../items/compare-remote.ts'
import type { ItemRow } from '../store/rows.ts'

// A tus client over `ApiClient.raw`. Unlike tus-js-client it adapts the chunk size, reads growing sources, handles
// name conflicts and remembers unanswered requests.

/** Chunks faster than this (ms) grow; those slower than `SLOW_MS` shrink. */
const QUICK_MS = 400
const SLOW_MS = 1500
/** Small, so that even a slow line soon shows progress. */
const PIECE_FIRST = 1024 * 1024
const PIECE_LEAST = 256 * 1024
const PIECE_LIMITED = 64 * 1024
export const PIECE_MOST = 32 * 1024 * 1024
/** Default retry delay for a busy upload, in seconds. */
const BUSY_S = 1

const ABANDON_TRIES = 8
const ABANDON_AGAIN_MS = 250

const VERSION = { 'tus-resumable': '1.0.0' }

export class TusSupportError extends Error {}

export interface TusTarget {
  target: string
  /** Largest chunk the source can provide. */
  pieceMost?: number
  /** The service declared tus support: no fallback. */
  sure: boolean
}

interface Upload {
  context: TransferContext
  item: ItemRow
  source: Source
  wanted: TusTarget
  choice: Exclude<ItemRow['choice'], 'skip'>
  ask: (request: Omit<RawRequest, 'params' | 'signal'>) => Promise<RawAnswer>
}

/** Bytes count once the service confirms them; the upload is saved in the item for later attempts. */
export async function uploadByTus(
  context: TransferContext,
  item: ItemRow,
  source: Source,
  wanted: TusTarget,
): Promise<ItemOutcome> {
  const upload: Upload = {
    ...{ context, item, source, wanted },
    choice: item.choice === 'skip' ? null : item.choice,
    ask: (request) =>
      context.client.raw(api.files.upload, {
        params: { serverId: context.transfer.serverId },
        signal: context.signal,
        ...request,
        headers: { ...VERSION, ...request.headers },
      }),
  }
  // The last chunk's answer was lost, and the service may have forgotten the upload.
  const unsure = item.sent
  let offset = 0
  if (item.resume !== null) {
    const stood = await goOn(upload)
    if (typeof stood !== 'number') return stood
    offset = stood
  }
  const whole = item.resume === null ? await create(upload, unsure) : null
  return whole ?? sendPieces(upload, offset)
}

const endedBy = ({ context, item, wanted }: Upload, answer: RawAnswer): ItemOutcome => {
  const told = answer.headers['upload-final-path']
  return {
    kind: 'done',
    finalPath: finalPath(context, item, told === undefined ? wanted.target : decoded(told)),
  }
}

const nameTaken = ({ item }: Upload): ItemOutcome =>
  item.choice === 'skip' ? { kind: 'skipped' } : { kind: 'asking' }

/** Returns the upload's offset, or its result. Forgets an upload that is gone. */
async function goOn(upload: Upload): Promise<number | ItemOutcome> {
  const { context, item, source, ask } = upload
  const head = await ask({ location: item.resume as string, method: 'HEAD', accept: [404, 410, 423] })
  if (head.status === 423) throw busy(head)
  if (head.status >= 400) {
    await context.keep(item, { resume: null, bytesDone: 0 })
    return 0
  }
  const offset = offsetOf(head)
  if (Number(head.headers['upload-length'] ?? source.size) !== source.size) {
    await abandonUpload(context, item)
    return 0
  }
  if (offset >= source.size) return endedBy(upload, head)
  await context.keep(item, { bytesDone: offset })
  return offset
}

/** Returns a result if nothing is left to send. `unsure`: everything was sent once before. */
async function create(upload: Upload, unsure: boolean): Promise<ItemOutcome | null> {
  const { context, item, source, wanted, choice, ask } = upload
  const metadata: [string, string][] = [['path', wanted.target]]
  if (item.modifiedAt !== null) metadata.push(['modifiedAt', new Date(item.modifiedAt).toISOString()])
  // For keep-both the name was chosen before, see `keepBoth`.
  metadata.push(['conflict', choice === 'replace' ? 'replace' : 'refuse'])
  const headers: Record<string, string> = {
    'upload-length': String(source.size),
    'upload-metadata': metadata
      .map(([k, v]) => `${context.client.nameOf(api.files.upload, k)} ${Buffer.from(v).toString('base64')}`)
      .join(','),
  }
  // An empty file is complete at creation, so there is no last chunk for these.
  if (source.size === 0) {
    headers['upload-checksum'] = `sha256 ${await source.sha256()}`
    await context.keep(item, { sent: true })
  }
  const accept = wanted.sure ? [409] : [409, 400, 404, 405, 412, 415, 501]
  const made = await ask({ method: 'POST', headers, accept, remember: false }).catch((error: unknown) => {
    // Creation has no bytes, so a non-tus answer means no tus here.
    if (!wanted.sure && error instanceof PanelProblem && error.problem.code === 'unconfirmed')
      throw new TusSupportError()
    throw error
  })
  const location = made.headers['location']
  if (made.status === 409) {
    if (errorCode(made.json) !== 'files.exists') throw refused(made)
    const same = unsure && (await isSent(context, wanted.target, item, source))
    return same ? { kind: 'done', finalPath: finalPath(context, item, wanted.target) } : nameTaken(upload)
  }
  if (made.status >= 400 || location === undefined) {
    const own = errorCode(made.json)
    // A refusal of this file doesn't mean the service lacks tus.
    if (own !== null && made.headers['tus-resumable'] !== undefined) throw refused(made)
    throw new TusSupportError()
  }
  await context.keep(item, { resume: below(location, context.client.baseUrl), bytesDone: 0 })
  if (source.size > 0) return null
  if (made.headers['upload-final-path'] !== undefined) return endedBy(upload, made)
  const head = await ask({ location, method: 'HEAD', accept: [404, 410] })
  return endedBy(upload, head.status < 300 ? head : made)
}

async function sendPieces(upload: Upload, begin: number): Promise<ItemOutcome> {
  const { context, item, source, wanted } = upload
  const most = Math.min(wanted.pieceMost ?? PIECE_MOST, PIECE_MOST)
  let offset = begin
  let length = Math.min(PIECE_FIRST, most)
  for (let stuck = 0; ;) {
    // Under a limit, a chunk takes one second.
    const paced = Math.max(context.limiter.limit ?? Infinity, PIECE_LIMITED)
    const ready = await source.ready(Math.min(offset + PIECE_FIRST, source.size), context.signal)
    const until = Math.min(offset + Math.min(length, paced), ready, source.size)
    const { answer, took } = await sendPiece(upload, offset, until)
    if (answer.status === 409) {
      if (errorCode(answer.json) === 'files.exists') return nameTaken(upload)
      // The service's offset differs and is authoritative.
      const head = await upload.ask({ location: item.resume as string, method: 'HEAD' })
      const stands = offsetOf(head)
      if (stands === offset && stuck++ > 2) throw refused(answer)
      offset = stands
      await context.keep(item, { bytesDone: offset })
      if (offset >= source.size) return endedBy(upload, head)
      continue
    }
    const over = await unlessTaken(upload, answer)
    if (over) return over
    const stands = offsetOf(answer)
    if (stands > until || stands < offset) throw nonsense()
    offset = stands
    if (offset === source.size) return endedBy(upload, answer)
    await context.keep(item, { bytesDone: offset })
    if (took < QUICK_MS) length = Math.min(length * 2, most)
    else if (took > SLOW_MS) length = Math.max(length / 2, Math.min(PIECE_LEAST, most))
  }
}

async function sendPiece({ context, item, source, choice, ask }: Upload, offset: number, until: number) {
  const { signal } = context
  const body = await source.piece(offset, until - offset, signal)
  const headers: Record<string, string> = {
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(until - offset),
  }
  if (until === source.size) {
    headers['upload-checksum'] = `sha256 ${await source.sha256()}`
    if (choice !== null) headers['upload-conflict'] = choice
    await source.check()
    if (!item.sent) await context.keep(item, { sent: true })
  }
  const began = performance.now()
  const answer = await ask({
    location: item.resume as string,
    method: 'PATCH',
    headers,
    body: Readable.from(context.limiter.pace(body, signal), { objectMode: false }),
    accept: [404, 409, 410, 422, 423],
  })
  return { answer, took: performance.now() - began }
}

/** The result, or a thrown problem, if a chunk was refused. */
async function unlessTaken({ context, item }: Upload, answer: RawAnswer): Promise<ItemOutcome | null> {
  switch (answer.status) {
    case 423:
      throw busy(answer)
    case 404:
    case 410:
      await context.keep(item, { resume: null, bytesDone: 0 })
      throw problem('service-failed', localized('send.begins-anew'))
    case 422:
      if (errorCode(answer.json) !== 'files.checksum') throw refused(answer)
      await context.keep(item, { resume: null, bytesDone: 0 })
      return { kind: 'again', because: changedMeanwhile(item.path) }
    default:
      return null
  }
}

/** Cancels the upload at the service, which cleans up by itself if unreachable. */
export async function abandonUpload(
  context: Pick<TransferContext, 'client' | 'transfer' | 'keep'> & { signal?: AbortSignal },
  item: ItemRow,
): Promise<void> {
  const location = item.resume
  if (location === null) return
  await context.keep(item, { resume: null, bytesDone: 0 })
  // The service may still be writing the aborted chunk.
  for (let tries = 0; tries < ABANDON_TRIES; tries++) {
    const answer = await context.client
      .raw(api.files.upload, {
        params: { serverId: context.transfer.serverId },
        location,
        method: 'DELETE',
        headers: VERSION,
        accept: [404, 410, 423],
        ...(context.signal ? { signal: context.signal } : {}),
      })
      .catch(() => null)
    if (answer?.status !== 423 || context.signal?.aborted) return
    await sleep(ABANDON_AGAIN_MS)
  }
}

/** As a path: the built-in service changes its port on each start. */
function below(location: string, baseUrl: string): string {
  const { origin } = new URL(baseUrl)
  const url = URL.canParse(location) ? new URL(location) : null
  return url?.origin === origin ? url.pathname + url.search : location
}

function offsetOf(answer: RawAnswer): number {
  const offset = Number(answer.headers['upload-offset'] ?? NaN)
  if (!Number.isSafeInteger(offset) || offset < 0) throw nonsense()
  return offset
}

const nonsense = () =>
  problem('incompatible', localized('send.no-offset'), {
    detail: 'Upload-Offset',
  })

const busy = (answer: RawAnswer) =>
  problem('rate-limited', localized('send.busy'), {
    retryAfter: retryAfterSeconds(answer.headers['retry-after'], Date.now()) || BUSY_S,
  })

function refused(answer: RawAnswer): PanelProblem {
  const code = errorCode(answer.json)
  const extra = { retryable: false, ...(code === null ? {} : { serviceCode: code }) }
  const message = errorMessage(answer.json)
  const own = message === null ? null : { message }
  return answer.status === 422 || answer.status === 400
    ? problem('invalid', own ?? localized('send.refused'), extra)
    : problem('conflict', own ?? localized('send.not-now'), extra)
}

/** Percent-decoded, if valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
