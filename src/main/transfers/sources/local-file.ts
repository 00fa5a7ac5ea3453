import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { say } from '../../../contract/messages/say.ts'
import { problem } from '../../base/problem.ts'
import type { GrowingFile } from './growing-file.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type TransferContext } from '../items/context.ts'
import type { ItemRow } from '../store/rows.ts'

/** Bytes read at once from a disk. */
const STRIDE = 256 * 1024
/**
 * Buffers read into in turn: new ones for every read would pile up by the hundred megabytes until they are collected. The
 * connection holds two or three at a time, since it asks for more only after what it has was written.
 */
const RING = 8

/**
 * The bytes that an upload sends, from wherever they come. It outlives a try that breaks off, so that nothing is hashed
 * or fetched twice.
 */
export interface Source {
  size: number
  /** What it reads while that still comes. */
  growing?: GrowingFile
  /** Waits until the first `upTo` bytes can be read; answers how many can. */
  ready(upTo: number, signal: AbortSignal): Promise<number>
  /** Bytes from `at` on, `length` of them; what comes shorter is thrown as `changed`. */
  piece(at: number, length: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** SHA-256 of the whole, base64. Only complete after the last piece was asked for. */
  sha256(): Promise<string>
  /** Throws `changed` where the source is no longer what it was when it began. */
  check(): Promise<void>
  close(): void
}

/** What changed while it was sent starts anew; this says why, where that does not help. */
export const changedMeanwhile = (path: string) =>
  problem('changed', say('here.kept-changing', { name: nameOf(path) }), {
    retryable: false,
    serviceCode: 'computer.file',
  })

/** A file of this computer as it is now. Throws a sentence where it cannot be read. */
export async function statFile(
  item: Pick<ItemRow, 'path' | 'source' | 'sourceAt' | 'size' | 'modifiedAt'>,
): Promise<{ size: number; modifiedAt: number }> {
  const found = await stat(item.source).catch((error: unknown) => {
    throw fsProblem(error, nameOf(item.path))
  })
  if (!found.isFile()) throw fsProblem({ code: 'EISDIR' }, nameOf(item.path))
  const modifiedAt = Math.trunc(found.mtimeMs)
  if (item.sourceAt === null) return { size: found.size, modifiedAt }
  if (found.size < item.sourceAt + item.size) throw changedMeanwhile(item.path)
  // Others lie in this file too: its time says nothing of one of them.
  return { size: item.size, modifiedAt: item.modifiedAt ?? modifiedAt }
}

/**
 * A file of this computer. It is hashed by a reading of its own in a worker thread, beside the sending: the second
 * reading comes from the system's cache and spares main the copying. If both saw different bytes, the service's
 * comparison fails, which is what it is for.
 * @param growing of a file whose bytes still come from a page: it is sent and hashed as it grows
 */
export function localFileSource(
  bytes: TransferContext['bytes'],
  item: ItemRow,
  growing: GrowingFile | null,
): Source {
  const job = randomUUID()
  const { size } = item
  const start = item.sourceAt ?? 0
  const closed = new AbortController()
  /** One for all its pieces, which go one after the other. */
  let ring: Buffer[] | null = null
  let hash: Promise<string | null> | null = null
  const read = async () => {
    await bytes.begin(job, start)
    for (let at = 0; at < size;) {
      at = growing ? await growing.reached(at + 1, closed.signal) : size
      if (!(await bytes.hashUpTo(job, item.source, start + at))) return null
    }
    await growing?.whole(closed.signal)
    return bytes.digest(job)
  }
  const begin = () => {
    hash ??= read()
    hash.catch(() => {})
    return hash
  }
  return {
    size,
    ...(growing && { growing }),
    ready: async (upTo, signal) => (growing ? growing.reached(upTo, signal) : size),
    async piece(at, length, signal) {
      void begin()
      ring ??= Array.from({ length: Math.min(RING, Math.ceil(size / STRIDE)) }, () =>
        Buffer.allocUnsafeSlow(Math.min(STRIDE, size)),
      )
      return readExactly(item, ring, start + at, length, signal)
    },
    async sha256() {
      const sum = await begin().catch((error: unknown) => {
        throw fsProblem(error, nameOf(item.path))
      })
      if (sum === null) throw changedMeanwhile(item.path)
      return sum
    },
    async check() {
      const now = await statFile(item)
      if (now.size !== size || now.modifiedAt !== item.modifiedAt) throw changedMeanwhile(item.path)
    },
    close() {
      closed.abort()
      if (hash) void bytes.forget(job).catch(() => {})
      hash = null
    },
  }
}

async function* readExactly(
  item: ItemRow,
  ring: readonly Buffer[],
  at: number,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return
  try {
    await using file = await open(item.source)
    for (let read = 0, turn = 0; read < length; turn++) {
      signal.throwIfAborted()
      const buffer = ring[turn % ring.length] as Buffer
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - read), at + read)
      if (bytesRead === 0) throw changedMeanwhile(item.path)
      read += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw fsProblem(error, nameOf(item.path))
  }
}
