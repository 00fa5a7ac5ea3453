import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../../contract/areas/index.ts'
import { say } from '../../../contract/messages/say.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import type { RawAnswer, RawRequest } from '../../api/requests/raw.ts'
import { retryAfterSeconds } from '../../base/retry.ts'
import { changedMeanwhile, type Source } from '../sources/local-file.ts'
import { type Ended, errorCode, errorMessage, finalPath, type TransferContext } from '../items/context.ts'
import { isSent } from '../items/compare-remote.ts'
import type { ItemRow } from '../store/rows.ts'

// Our own client of tus, over `ApiClient.raw`, for what tus-js-client does not do: pieces whose size adapts to the line,
// sources that still grow while they are sent, answers to conflicts, and the kept mark of what was sent and not answered.

/** A piece that took less than this (ms) is followed by a larger one, one that took more than the second by a smaller. */
const QUICK_MS = 400
const SLOW_MS = 1500
/** What is confirmed moves in pieces, so the first is small: a slow line shows soon that something moves. */
const PIECE_FIRST = 1024 * 1024
const PIECE_LEAST = 256 * 1024
const PIECE_LIMITED = 64 * 1024
/** Most bytes of one request. */
export const PIECE_MOST = 32 * 1024 * 1024
/** A busy upload is asked again after so many seconds where the service does not say. */
const BUSY_S = 1

/** A busy upload is asked to end so often, and again after so many ms. */
const ABANDON_TRIES = 8
const ABANDON_AGAIN_MS = 250

const VERSION = { 'tus-resumable': '1.0.0' }

/** The service knows no tus at this address. */
export class NoTus extends Error {}

/** What an upload is, besides its bytes. */
export interface Wanted {
  /** Path of the server. */
  target: string
  /** Largest piece this source can give. */
  pieceMost?: number
  /** The service said that it takes tus: then nothing else is tried. */
  sure: boolean
}

/** One upload by tus, on its way. */
interface Upload {
  context: TransferContext
  item: ItemRow
  source: Source
  wanted: Wanted
  /** What to do with a name that is taken; null to ask. */
  choice: Exclude<ItemRow['choice'], 'skip'>
  ask: (request: Omit<RawRequest, 'params' | 'signal'>) => Promise<RawAnswer>
}

/**
 * Uploads by tus, from where it stood. Bytes count as done when the service has confirmed them. A begun upload is kept
 * in the item, so that any later try goes on with it.
 */
export async function uploadByTus(
  context: TransferContext,
  item: ItemRow,
  source: Source,
  wanted: Wanted,
): Promise<Ended> {
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
  // The answer to an earlier last piece was lost, and perhaps the service has forgotten the upload since.
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

const endedBy = ({ context, item, wanted }: Upload, answer: RawAnswer): Ended => {
  const told = answer.headers['upload-final-path']
  return {
    kind: 'done',
    finalPath: finalPath(context, item, told === undefined ? wanted.target : decoded(told)),
  }
}

const nameTaken = ({ item }: Upload): Ended =>
  item.choice === 'skip' ? { kind: 'skipped' } : { kind: 'asking' }

/** Asks where a begun upload stands: answers its offset, or how it ended. One that is gone is forgotten. */
async function goOn(upload: Upload): Promise<number | Ended> {
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

/** Creates an upload; answers how it ended where nothing is left to be sent. `unsure`: all was sent once before. */
async function create(upload: Upload, unsure: boolean): Promise<Ended | null> {
  const { context, item, source, wanted, choice, ask } = upload
  const metadata: [string, string][] = [['path', wanted.target]]
  if (item.modifiedAt !== null) metadata.push(['modifiedAt', new Date(item.modifiedAt).toISOString()])
  // Of keep-both the name was chosen before, see `keepBoth`.
  metadata.push(['conflict', choice === 'replace' ? 'replace' : 'refuse'])
  const headers: Record<string, string> = {
    'upload-length': String(source.size),
    'upload-metadata': metadata
      .map(([k, v]) => `${context.client.nameOf(api.files.upload, k)} ${Buffer.from(v).toString('base64')}`)
      .join(','),
  }
  // An empty file is whole with its creation: there is no last piece that could carry these.
  if (source.size === 0) {
    headers['upload-checksum'] = `sha256 ${await source.sha256()}`
    await context.keep(item, { sent: true })
  }
  const accept = wanted.sure ? [409] : [409, 400, 404, 405, 412, 415, 501]
  const made = await ask({ method: 'POST', headers, accept, remember: false }).catch((error: unknown) => {
    // A creation carries no bytes: what answers otherwise than tus does knows none.
    if (!wanted.sure && error instanceof PanelProblem && error.problem.code === 'unconfirmed')
      throw new NoTus()
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
    // A refusal of the service's own about this file is no sign that it knows no tus.
    if (own !== null && made.headers['tus-resumable'] !== undefined) throw refused(made)
    throw new NoTus()
  }
  await context.keep(item, { resume: below(location, context.client.baseUrl), bytesDone: 0 })
  if (source.size > 0) return null
  if (made.headers['upload-final-path'] !== undefined) return endedBy(upload, made)
  const head = await ask({ location, method: 'HEAD', accept: [404, 410] })
  return endedBy(upload, head.status < 300 ? head : made)
}

/** Sends one piece after the other, in sizes that suit the line, until the service has all of them. */
async function sendPieces(upload: Upload, begin: number): Promise<Ended> {
  const { context, item, source, wanted } = upload
  const most = Math.min(wanted.pieceMost ?? PIECE_MOST, PIECE_MOST)
  let offset = begin
  let length = Math.min(PIECE_FIRST, most)
  for (let stuck = 0; ;) {
    // Under a limit a piece takes a second, whatever the line could do.
    const paced = Math.max(context.limiter.limit ?? Infinity, PIECE_LIMITED)
    const ready = await source.ready(Math.min(offset + PIECE_FIRST, source.size), context.signal)
    const until = Math.min(offset + Math.min(length, paced), ready, source.size)
    const { answer, took } = await sendPiece(upload, offset, until)
    if (answer.status === 409) {
      if (errorCode(answer.json) === 'files.exists') return nameTaken(upload)
      // The service stands elsewhere than we thought: it knows better.
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

/** Sends the bytes from `offset` to `until`; `took` ms. */
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

/** Answers how it ended, or throws why, where a piece was not taken. */
async function unlessTaken({ context, item }: Upload, answer: RawAnswer): Promise<Ended | null> {
  switch (answer.status) {
    case 423:
      throw busy(answer)
    case 404:
    case 410:
      await context.keep(item, { resume: null, bytesDone: 0 })
      throw problem('service-failed', say('send.begins-anew'))
    case 422:
      if (errorCode(answer.json) !== 'files.checksum') throw refused(answer)
      await context.keep(item, { resume: null, bytesDone: 0 })
      return { kind: 'again', because: changedMeanwhile(item.path) }
    default:
      return null
  }
}

/** Ends a begun upload at the service, and forgets it. A service that cannot be asked sweeps it by itself. */
export async function abandonUpload(
  context: Pick<TransferContext, 'client' | 'transfer' | 'keep'> & { signal?: AbortSignal },
  item: ItemRow,
): Promise<void> {
  const location = item.resume
  if (location === null) return
  await context.keep(item, { resume: null, bytesDone: 0 })
  // It may still be writing what was just broken off.
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

/** An address at the service's own origin as a path: the built-in service has another port at each start. */
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
  problem('incompatible', say('send.no-offset'), {
    detail: 'Upload-Offset',
  })

const busy = (answer: RawAnswer) =>
  problem('rate-limited', say('send.busy'), {
    retryAfter: retryAfterSeconds(answer.headers['retry-after'], Date.now()) || BUSY_S,
  })

/** A refusal with the service's own code and words. */
function refused(answer: RawAnswer): PanelProblem {
  const code = errorCode(answer.json)
  const extra = { retryable: false, ...(code === null ? {} : { serviceCode: code }) }
  const message = errorMessage(answer.json)
  const own = message === null ? null : { message }
  return answer.status === 422 || answer.status === 400
    ? problem('invalid', own ?? say('send.refused'), extra)
    : problem('conflict', own ?? say('send.not-now'), extra)
}

/** A path that came percent-encoded; as it is where it is not. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
