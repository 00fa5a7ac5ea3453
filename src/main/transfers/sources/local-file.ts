import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { GrowingFile } from './growing-file.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type TransferContext } from '../items/context.ts'
import type { ItemRow } from '../store/rows.ts'

const STRIDE = 256 * 1024
/** Reused buffers: new ones would pile up by the hundred MB before collection. The connection uses two or three. */
const RING = 8

/** The bytes of an upload. Survives failed attempts, so nothing is hashed or fetched twice. */
export interface Source {
  size: number
  growing?: GrowingFile
  /** Waits for the first `upTo` bytes; returns how many are readable. */
  ready(upTo: number, signal: AbortSignal): Promise<number>
  /** Throws `changed` if there are fewer than `length` bytes. */
  piece(at: number, length: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Base64; complete only after the last piece was requested. */
  sha256(): Promise<string>
  /** Throws `changed` if the source isn't what it was. */
  check(): Promise<void>
  close(): void
}

/** For a source that keeps changing. */
export const changedMeanwhile = (path: string) =>
  problem('changed', localized('here.kept-changing', { name: nameOf(path) }), {
    retryable: false,
    serviceCode: 'computer.file',
  })

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
  // A shared file: its time isn't the item's.
  return { size: item.size, modifiedAt: item.modifiedAt ?? modifiedAt }
}

/** Hashed in a worker by a second read, from the system's cache. If the reads differ, the upload fails. */
export function localFileSource(
  bytes: TransferContext['bytes'],
  item: ItemRow,
  growing: GrowingFile | null,
): Source {
  const job = randomUUID()
  const { size } = item
  const start = item.sourceAt ?? 0
  const closed = new AbortController()
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
      return readExactly(item, { ring, growing }, { at: start + at, length }, signal)
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
  { ring, growing }: { ring: readonly Buffer[]; growing: GrowingFile | null },
  { at, length }: { at: number; length: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return
  try {
    // Before that it isn't there.
    await growing?.reached(at + 1, signal)
    await using file = await open(item.source)
    for (let read = 0, turn = 0; read < length; turn++) {
      signal.throwIfAborted()
      const buffer = ring[turn % ring.length] as Buffer
      const wanted = Math.min(buffer.length, length - read)
      // Of less, more pieces would be under way than there are buffers.
      await growing?.reached(at + read + wanted, signal)
      const { bytesRead } = await file.read(buffer, 0, wanted, at + read)
      if (bytesRead === 0) throw changedMeanwhile(item.path)
      read += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw fsProblem(error, nameOf(item.path))
  }
}
