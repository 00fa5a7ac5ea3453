import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { api } from '../../../contract/areas/index.ts'
import type { ApiClient } from '../../api/client.ts'
import { answerBytes } from '../items/remote-files.ts'
import type { TransferContext } from '../items/context.ts'
import { changedMeanwhile, type Source } from './local-file.ts'
import type { ItemRow } from '../store/rows.ts'

/** Bytes in memory per copied file. */
export const COPY_PIECE = 8 * 1024 * 1024

interface OpenStream {
  stream: Readable
  chunks: AsyncIterator<Uint8Array>
  rest: Uint8Array | null
  signal: AbortSignal
}

async function fill(opened: OpenStream, piece: Uint8Array, path: string): Promise<Uint8Array> {
  for (let filled = 0; filled < piece.length;) {
    const next: IteratorResult<Uint8Array> = opened.rest
      ? { done: false, value: opened.rest }
      : await opened.chunks.next()
    if (next.done) throw changedMeanwhile(path)
    const some = next.value.subarray(0, piece.length - filled)
    piece.set(some, filled)
    filled += some.length
    opened.rest = some.length < next.value.length ? next.value.subarray(some.length) : null
  }
  return piece
}

/** Throws if it isn't the file that was begun. */
async function openAt(
  context: TransferContext,
  from: ApiClient,
  item: ItemRow,
  at: number,
  signal: AbortSignal,
): Promise<OpenStream> {
  const answer = await from.open(
    api.files.read,
    { params: { serverId: context.transfer.fromServerId ?? '' }, query: { path: item.source } },
    { signal, ...(at > 0 ? { range: `bytes=${at}-` } : {}) },
  )
  const part = at > 0 && answer.status === 206 && answer.offset === at
  const known = item.etag === null || answer.etag === item.etag
  if ((at > 0 && !part) || !known || (answer.size !== null && answer.size !== item.size)) {
    answer.stream.destroy()
    await context.keep(item, { etag: answer.etag, ...(answer.size === null ? {} : { size: answer.size }) })
    throw changedMeanwhile(item.path)
  }
  if (item.etag === null) await context.keep(item, { etag: answer.etag })
  const chunks = answerBytes({ client: from, signal }, answer.stream)
  return { stream: answer.stream, chunks, rest: null, signal }
}

/** Streams another server's file. Reads it from the start even when resuming, to hash the whole. */
export function remoteFileSource(context: TransferContext, from: ApiClient, item: ItemRow): Source {
  const { bytes } = context
  const job = randomUUID()
  let opened: OpenStream | null = null
  let at = 0
  let held: { at: number; bytes: Uint8Array } | null = null
  let began = false
  let sum: string | null = null

  async function read(length: number, signal: AbortSignal): Promise<Uint8Array> {
    if (!began) {
      began = true
      await bytes.begin(job)
    }
    if (opened?.signal.aborted) opened = null
    opened ??= await openAt(context, from, item, at, signal)
    const { stream } = opened
    try {
      const piece = await fill(opened, new Uint8Array(length), item.path)
      await bytes.update(job, piece)
      at += length
      return piece
    } catch (error) {
      // The rest isn't hashed yet; the next attempt reads it again.
      stream.destroy()
      opened = null
      throw error
    }
  }

  async function rewind(): Promise<void> {
    opened?.stream.destroy()
    opened = held = sum = null
    at = 0
    began = false
    await bytes.forget(job)
  }

  return {
    size: item.size,
    ready: async () => item.size,
    async piece(begin, length, signal) {
      if (held && begin >= held.at && begin + length <= held.at + held.bytes.length) {
        return once(held.bytes.subarray(begin - held.at, begin - held.at + length))
      }
      // Resume in the middle of a broken piece.
      const tail = held && begin >= held.at && held.at + held.bytes.length === at ? held.bytes : null
      const rest = tail && held ? tail.subarray(begin - held.at) : new Uint8Array()
      // The service lost its bytes, or the target changed.
      if (begin + rest.length < at) await rewind()
      while (at < begin) await read(Math.min(COPY_PIECE, begin - at), signal)
      const more = await read(length - rest.length, signal)
      held = { at: begin, bytes: rest.length > 0 ? Buffer.concat([rest, more]) : more }
      return once(held.bytes)
    },
    async sha256() {
      if (!began) await bytes.begin(job)
      began = true
      return (sum ??= await bytes.digest(job))
    },
    check: async () => {},
    close() {
      opened?.stream.destroy()
      void bytes.forget(job).catch(() => {})
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const PART = 256 * 1024
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART)
}
