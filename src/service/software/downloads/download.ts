import type { Dispatcher } from 'undici'
import { fullDisk } from '../../../host/disk-errors.ts'
import type { RemoteFile } from '../catalog.ts'
import { isTheFile, type Digests } from './digests.ts'
import {
  downloadFailed,
  tooLarge,
  wrongChecksum,
  reasonOfNetwork,
} from '../../../extensions/requests/download-refusals.ts'
import type { PartialFile } from './partial-file.ts'
import type { HostPauses, PauseFunction } from './host-pauses.ts'
import { DownloadInterruption, requestFile, type FileAnswer } from './request-file.ts'
import type { DiskReservations } from './room.ts'
import type { ProgressListener, PauseListener } from './shared-tasks.ts'

/** Consecutive attempts without progress. */
const MOST_FAILURES = 5
/** Total attempts, for connections that bring a little each time. */
const MOST_TRIES = 50
/** Total of requested pauses per download, in ms. */
const PAUSES_MOST = 5 * 60_000
/** Bytes per idle limit that count as progress. */
const IDLE_BYTES = 1024
const LOOK_EVERY = 16 * 1024 * 1024

export interface DownloadLimits {
  /** Bytes. */
  mostBytes: number
  /** Gives up on silence, in ms. */
  idleMs: number
  pauseMs: (failures: number) => number
}

interface DownloadContext {
  key: string
  dispatcher: Dispatcher
  userAgent: string
  limits: DownloadLimits
  room: DiskReservations
  /** Ms, counting across restarts. */
  seen: () => number
  signal: AbortSignal
  tell: ProgressListener
  tellWaiting: PauseListener
  pauses: HostPauses
  wait: PauseFunction
}

/** Rejects with a Refusal or the signal's reason, keeping what can be resumed. */
export async function download(
  file: RemoteFile,
  partial: PartialFile,
  ways: DownloadContext,
): Promise<Digests> {
  for (let wrong = 0; ;) {
    await partial.catchUp(ways.signal)
    await receive(file, partial, ways)
    const digests = partial.digests()
    if (digests && isTheFile(file, digests)) return digests
    await partial.discard()
    if (++wrong === 2) throw wrongChecksum(file)
  }
}

async function receive(file: RemoteFile, partial: PartialFile, ways: DownloadContext): Promise<void> {
  const { signal, limits } = ways
  let [failures, furthest] = [0, partial.bytes]
  const untilAllowed = patienceOf(ways)
  for (let tries = 1; !partial.isWhole; tries++) {
    try {
      return await receivePiece(file, partial, { ...ways, untilAllowed })
    } catch (error) {
      signal.throwIfAborted()
      if (fullDisk(error)) {
        const missing = (partial.identity?.total ?? file.size ?? partial.bytes) - partial.bytes
        // A file we can't finish only wastes space.
        await partial.discard()
        throw await ways.room.full(file, missing)
      }
      if (!(error instanceof DownloadInterruption)) throw error
      const kept = partial.bytes > 0 && Boolean(partial.identity?.etag) && file.checksum !== null
      if (!error.isPaused) failures = partial.bytes > furthest ? 1 : failures + 1
      furthest = Math.max(furthest, partial.bytes)
      if (!error.again) throw downloadFailed(file, error.reason)
      if (failures >= MOST_FAILURES || tries >= MOST_TRIES)
        throw downloadFailed(file, error.reason, { tries, kept })
      // Our own pause comes on top of the server's, so clients spread out.
      await ways.wait(limits.pauseMs(failures), signal)
    }
  }
}

function patienceOf({ pauses, tellWaiting, wait, signal }: DownloadContext) {
  let waited = 0
  return async (to: URL): Promise<void> => {
    for (let ms = pauses.left(to); ms > 0; ms = pauses.left(to)) {
      waited += ms
      if (waited > PAUSES_MOST)
        throw new DownloadInterruption({ part: 'asks-for-a-pause', values: { to: to.host } }, false)
      tellWaiting(to.host, Math.ceil(ms / 1000))
      await wait(ms, signal)
    }
  }
}

async function receivePiece(
  file: RemoteFile,
  partial: PartialFile,
  ways: DownloadContext & { untilAllowed: (to: URL) => Promise<void> },
): Promise<void> {
  const { dispatcher, userAgent, limits, pauses } = ways
  const idle = new IdleLimit(limits.idleMs, ways.signal)
  const etag = partial.identity?.etag
  const from = etag && partial.bytes > 0 ? { bytes: partial.bytes, etag } : null
  try {
    const untilAllowed = (to: URL) => idle.rests(() => ways.untilAllowed(to))
    const asking = {
      ...{ dispatcher, userAgent, signal: idle.signal, headersMs: limits.idleMs },
      ...{ hosts: file.hosts, pauses, untilAllowed },
    }
    const answer = await requestFile(file.url, from, asking)
    try {
      await place(file, partial, answer, ways)
      await take(file, partial, answer, idle, ways)
    } finally {
      answer.body.destroy()
    }
  } catch (error) {
    if (idle.isOver && error instanceof DownloadInterruption)
      throw new DownloadInterruption(
        { part: 'idle', values: { seconds: Math.ceil(limits.idleMs / 1000) } },
        true,
      )
    throw error
  } finally {
    idle.stop()
  }
}

async function place(
  file: RemoteFile,
  partial: PartialFile,
  answer: FileAnswer,
  ways: DownloadContext,
): Promise<void> {
  const etag = strongTag(answer.header('etag'))
  if (answer.status !== 200) {
    const { identity, bytes } = partial
    const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(answer.header('content-range') ?? '')
    const follows = answer.status === 206 && range !== null && Number(range[1]) === bytes
    const same = identity !== null && (etag === null || etag === identity.etag)
    const total = range === null || range[2] === '*' ? null : Number(range[2])
    if (!follows || !same || (total !== null && total !== identity.total)) {
      await partial.discard()
      throw new DownloadInterruption({ part: 'other-part' }, true)
    }
  } else {
    const length = answer.header('content-length')
    const total = /^\d{1,15}$/.test(length ?? '') ? Number(length) : null
    await partial.begin({ etag, total, seenAt: ways.seen() })
  }
  const whole = partial.identity?.total ?? file.size
  const most = Math.min(file.size ?? Infinity, ways.limits.mostBytes)
  if (whole !== null && whole > most) await exceeded(file, partial, whole, ways)
  await ways.room.require(ways.key, file, (whole ?? partial.bytes) - partial.bytes)
}

async function take(
  file: RemoteFile,
  partial: PartialFile,
  answer: FileAnswer,
  idle: IdleLimit,
  { key, room, limits, tell }: DownloadContext,
): Promise<void> {
  const total = partial.identity?.total ?? file.size
  const most = Math.min(file.size ?? Infinity, limits.mostBytes)
  let look = partial.bytes + LOOK_EVERY
  tell(partial.bytes, total)
  const handle = await partial.openToAdd()
  try {
    for await (const chunk of received(answer.body)) {
      idle.came(chunk.length)
      if (partial.bytes + chunk.length > most)
        await exceeded(file, partial, partial.bytes + chunk.length, { limits })
      await partial.add(handle, chunk)
      tell(partial.bytes, total)
      if (partial.bytes < look) continue
      look = partial.bytes + LOOK_EVERY
      await room.require(key, file, Math.max(0, (total ?? 0) - partial.bytes))
    }
  } finally {
    await handle.close()
  }
  // A connection that just ends may have been cut.
  if (total !== null && partial.bytes < total) throw new DownloadInterruption({ part: 'cut' }, true)
}

async function exceeded(
  file: RemoteFile,
  partial: PartialFile,
  bytes: number,
  { limits }: Pick<DownloadContext, 'limits'>,
): Promise<never> {
  await partial.discard()
  if (bytes > limits.mostBytes) throw tooLarge(file, bytes, limits.mostBytes)
  throw new DownloadInterruption({ part: 'too-much' }, true)
}

/** Turns errors of the body into DownloadInterruption; errors of its reader pass. */
async function* received(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw new DownloadInterruption(reasonOfNetwork(error), true)
  }
}

/** Strong entity tags (RFC 9110, 8.8.3). */
const strongTag = (tag: string | undefined) => (tag !== undefined && /^"[^"]{0,900}"$/.test(tag) ? tag : null)

/** Aborts an attempt without progress, starting with the request. */
class IdleLimit {
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal
  #bytes = 0
  #isResting = false

  constructor(ms: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([this.#abort.signal, outer])
    this.#timer = setInterval(() => {
      if (this.#bytes < IDLE_BYTES && !this.#isResting) this.#abort.abort()
      this.#bytes = 0
    }, ms)
  }

  async rests(act: () => Promise<void>): Promise<void> {
    this.#isResting = true
    try {
      await act()
    } finally {
      this.#isResting = false
      this.#bytes = IDLE_BYTES
    }
  }

  get isOver(): boolean {
    return this.#abort.signal.aborted
  }

  came(bytes: number): void {
    this.#bytes += bytes
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
