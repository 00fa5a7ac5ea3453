import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { api } from '../../../contract/areas/index.ts'
import type { ApiClient } from '../../api/client.ts'
import { answerBytes } from '../items/answer-bytes.ts'
import type { TransferContext } from '../items/context.ts'
import { changedMeanwhile, type Source } from './local-file.ts'
import type { ItemRow } from '../store/rows.ts'

/** Bytes of a copy that are in memory at once, for each file that moves. */
export const COPY_PIECE = 8 * 1024 * 1024

interface Opened {
  stream: Readable
  chunks: AsyncIterator<Uint8Array>
  rest: Uint8Array | null
  /** Of the try that opened it: it ends with that. */
  signal: AbortSignal
}

async function fill(opened: Opened, piece: Uint8Array, path: string): Promise<Uint8Array> {
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

/** Opens the file from the byte `at` on. Throws where it is not the one that was begun. */
async function openAt(
  context: TransferContext,
  from: ApiClient,
  item: ItemRow,
  at: number,
  signal: AbortSignal,
): Promise<Opened> {
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

/**
 * A file of another server, read while it is sent on. Its pieces come in order; where the receiving side already has
 * some, they are read all the same, because only then the whole can be hashed.
 */
export function remoteFileSource(context: TransferContext, from: ApiClient, item: ItemRow): Source {
  const { bytes } = context
  const job = randomUUID()
  let opened: Opened | null = null
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
      // What was read of this piece is not hashed yet: the next try asks for it again.
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
      // A piece that broke off is gone on with in its middle.
      const tail = held && begin >= held.at && held.at + held.bytes.length === at ? held.bytes : null
      const rest = tail && held ? tail.subarray(begin - held.at) : new Uint8Array()
      // The service lost what it had, or the file goes to another name.
      if (begin + rest.length < at) await rewind()
      // What lies between is hashed and left; memory never holds more than one piece.
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
