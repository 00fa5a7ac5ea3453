import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { localized } from '../../../contract/messages/localized-text.ts'
import { fileTime } from '../../../host/file-time.ts'
import { type PanelProblem, problem } from '../../base/problem.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import type { ItemRow } from '../store/rows.ts'

/** Bytes buffered before the request has to wait for the disk. */
const WAITING_MOST = 512 * 1024

export interface Destination {
  /** Concatenated in body and file: one file per item would cost more than its bytes. */
  items: readonly ItemRow[]
  path: string
}

/** Throws `changed` if the body is shorter or longer than its items. */
export async function receiveBody(
  body: Readable,
  { items, path }: Destination,
  growing: GrowingFile | null,
  signal: AbortSignal,
): Promise<void> {
  const whole = items.reduce((sum, item) => sum + item.size, 0)
  await using file = await open(path, 'w', 0o600)
  const writing = new ChunkWriter(file, growing)
  let size = 0
  try {
    await eachChunk(body, signal, (chunk) => {
      size += chunk.length
      if (size > whole) throw differs(items.at(-1))
      return writing.take(chunk)
    })
  } finally {
    // It uses the file handle, which is closed next.
    await writing.over()
  }
  if (size < whole) throw differs(brokenBy(items, size))
  const [only] = items
  if (only && items.length === 1) {
    // The queue compares the file's time.
    const time = fileTime(only.modifiedAt ?? Date.now())
    await file.utimes(time, time)
  }
  growing?.grew(size)
}

function brokenBy(items: readonly ItemRow[], size: number): ItemRow | undefined {
  let end = 0
  return items.find((item) => (end += item.size) > size)
}

/** Writes one chunk at a time while collecting the next. */
class ChunkWriter {
  readonly #file: FileHandle
  readonly #growing: GrowingFile | null
  #held: Buffer[] = []
  #heldBytes = 0
  #written = 0
  #running: Promise<void> | null = null

  constructor(file: FileHandle, growing: GrowingFile | null) {
    this.#file = file
    this.#growing = growing
  }

  take(chunk: Buffer): Promise<void> | undefined {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (!this.#running) {
      this.#running = this.#run()
      // The error is reported by `over` or the next wait.
      this.#running.catch(() => undefined)
    }
    return this.#heldBytes >= WAITING_MOST ? this.#running : undefined
  }

  async over(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#held.length > 0) {
      const chunks = this.#held
      const bytes = this.#heldBytes
      this.#held = []
      this.#heldBytes = 0
      await writeAll(this.#file, chunks)
      this.#written += bytes
      this.#growing?.grew(this.#written)
    }
    this.#running = null
  }
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let left = [...chunks]
  while (left.length > 0) {
    // A filling disk writes a part, then fails on the next attempt.
    let { bytesWritten } = await file.writev(left)
    left = left.flatMap((chunk) => {
      const taken = Math.min(bytesWritten, chunk.length)
      bytesWritten -= taken
      return taken < chunk.length ? [chunk.subarray(taken)] : []
    })
  }
}

/** Pauses while `take` waits; leaves the body open for the answer. Throws errors of `take` or of the body. */
async function eachChunk(
  body: Readable,
  signal: AbortSignal,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { promise: fault, reject } = Promise.withResolvers<never>()
  let waiting: Promise<void> | undefined
  const hear = (chunk: Buffer) => {
    try {
      waiting = take(chunk)
      if (!waiting) return
      body.pause()
      waiting.then(() => body.resume(), reject)
    } catch (error) {
      body.pause()
      reject(error)
    }
  }
  const ended = finished(body, { signal, writable: false, cleanup: true })
  ended.catch(() => undefined)
  body.on('data', hear)
  try {
    await Promise.race([ended, fault])
    // A body can end while paused.
    await waiting
  } finally {
    body.off('data', hear)
    await waiting?.catch(() => undefined)
  }
}

const differs = (item: ItemRow | undefined): PanelProblem =>
  problem('changed', localized('page.differs', { name: nameOf(item?.path ?? '') }), {
    retryable: false,
    serviceCode: 'computer.page',
  })
