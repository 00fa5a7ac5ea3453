import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { say } from '../../../contract/messages/say.ts'
import { fileTime } from '../../../host/file-time.ts'
import { giveBack } from '../../../host/give-back.ts'
import { type PanelProblem, problem } from '../../base/problem.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import type { ItemRow } from '../store/rows.ts'

/** Bytes of a file that may wait for the disk before its request has to. */
const WAITING_MOST = 512 * 1024

/** Where the bytes of items go. */
export interface Destination {
  /** Several stand one after the other in the body, and in the file too: to make one for each costs more than their bytes. */
  items: readonly ItemRow[]
  path: string
}

/** Writes a body to a file; `growing` follows what is written. Throws `changed` where it is shorter or longer than its items. */
export async function receiveBody(
  body: Readable,
  { items, path }: Destination,
  growing: GrowingFile | null,
  signal: AbortSignal,
): Promise<void> {
  const whole = items.reduce((sum, item) => sum + item.size, 0)
  await using file = await open(path, 'w', 0o600)
  const writing = new Writing(file, growing)
  let size = 0
  try {
    await eachChunk(body, signal, (chunk) => {
      size += chunk.length
      if (size > whole) throw differs(items.at(-1))
      return writing.take(chunk)
    })
  } finally {
    // It writes to the file, which is closed after this.
    await writing.over()
  }
  if (size < whole) throw differs(brokenBy(items, size))
  const [only] = items
  if (only && items.length === 1) {
    // The queue goes by the time of the file it reads.
    const time = fileTime(only.modifiedAt ?? Date.now())
    await file.utimes(time, time)
  }
  growing?.grew(size)
}

/** The first of these that is not whole in so many bytes. */
function brokenBy(items: readonly ItemRow[], size: number): ItemRow | undefined {
  let end = 0
  return items.find((item) => (end += item.size) > size)
}

/** Writes what is taken, one part at a time, and takes more meanwhile. */
class Writing {
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

  /** Answers what has to be waited for before more is taken: nothing, or until all is written. */
  take(chunk: Buffer): Promise<void> | undefined {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (!this.#running) {
      this.#running = this.#run()
      // It is told to whoever waits, now or at the end.
      this.#running.catch(() => undefined)
    }
    return this.#heldBytes >= WAITING_MOST ? this.#running : undefined
  }

  /** Waits until all is written; throws what went wrong. */
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
      chunks.forEach(giveBack)
      this.#written += bytes
      this.#growing?.grew(this.#written)
    }
    this.#running = null
  }
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let left = [...chunks]
  while (left.length > 0) {
    // A disk that fills takes a part, and refuses the rest at the next try.
    let { bytesWritten } = await file.writev(left)
    left = left.flatMap((chunk) => {
      const taken = Math.min(bytesWritten, chunk.length)
      bytesWritten -= taken
      return taken < chunk.length ? [chunk.subarray(taken)] : []
    })
  }
}

/**
 * Hands on each chunk of a body as it comes, and no further ones while `take` waits. The body stays open when it is left,
 * so that its request can be answered. Throws what `take` does, or why no more comes.
 */
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
    // A body can end while it is paused.
    await waiting
  } finally {
    body.off('data', hear)
    await waiting?.catch(() => undefined)
  }
}

const differs = (item: ItemRow | undefined): PanelProblem =>
  problem('changed', say('page.differs', { name: nameOf(item?.path ?? '') }), {
    retryable: false,
    serviceCode: 'computer.page',
  })
