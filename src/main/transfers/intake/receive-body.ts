import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { say } from '../../../contract/messages/say.ts'
import { fileTime } from '../../../computer/file-time.ts'
import { giveBack } from '../../../computer/give-back.ts'
import { type PanelProblem, problem } from '../../api/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import { nameOf } from '../../../contract/pure/paths.ts'
import type { ItemRow } from '../store/rows.ts'

/** Largest file of several in one request, in bytes: each of them is held until it is written. */
const HELD_MOST = 8 * 1024 * 1024
/** Bytes of small files that are written together. */
const TOGETHER = 1024 * 1024
/** Bytes of a file that may wait for the disk before its request has to. */
const WAITING_MOST = 512 * 1024

/** Where the bytes of an item go. */
export interface Destination {
  item: ItemRow
  path: string
}

/** Writes a body that is one file; `growing` follows what is written. Throws `changed` where it is shorter or longer. */
export async function receiveOne(
  body: Readable,
  { item, path }: Destination,
  growing: GrowingFile,
  signal: AbortSignal,
): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  const writing = new Writing(file, growing)
  let size = 0
  try {
    await eachChunk(body, signal, (chunk) => {
      size += chunk.length
      if (size > item.size) throw differs(item)
      return writing.take(chunk)
    })
  } finally {
    // It writes to the file, which is closed after this.
    await writing.over()
  }
  if (size < item.size) throw differs(item)
  // The queue goes by the time of the file it reads.
  const time = fileTime(item.modifiedAt ?? Date.now())
  await file.utimes(time, time)
  growing.grew(size)
}

/** Writes a body that is several small files, one after the other. Throws `changed` where it is shorter or longer. */
export async function receiveMany(
  body: Readable,
  destinations: readonly Destination[],
  bytes: Bytes,
  signal: AbortSignal,
): Promise<void> {
  if (destinations.some(({ item }) => item.size > HELD_MOST))
    throw problem('invalid', say('page.one-a-request'))
  const held: Buffer[] = []
  let heldBytes = 0
  /** Files that are written or whole among what is held, and the bytes of the latter. */
  let [written, whole, wholeBytes] = [0, 0, 0]
  const write = async () => {
    const files = destinations.slice(written, whole).map(({ item, path }) => {
      return { path, size: item.size, modifiedAt: item.modifiedAt ?? Date.now() }
    })
    const all = Buffer.concat(held)
    held.splice(0).forEach(giveBack)
    held.push(Buffer.from(all.subarray(wholeBytes)))
    const done = bytes.writeMany(files, all.subarray(0, wholeBytes))
    giveBack(all)
    ;[written, heldBytes, wholeBytes] = [whole, heldBytes - wholeBytes, 0]
    await done
  }
  await eachChunk(body, signal, (chunk) => {
    held.push(chunk)
    heldBytes += chunk.length
    for (
      let next = destinations[whole];
      next && wholeBytes + next.item.size <= heldBytes;
      next = destinations[++whole]
    )
      wholeBytes += next.item.size
    if (whole === destinations.length && heldBytes > wholeBytes) throw differs(destinations.at(-1)?.item)
    return wholeBytes >= TOGETHER ? write() : undefined
  })
  // Empty files at the end need no bytes.
  while (destinations[whole]?.item.size === 0) whole++
  if (whole < destinations.length) throw differs(destinations[whole]?.item)
  if (written < whole) await write()
}

/** Writes what is taken, one part at a time, and takes more meanwhile. */
class Writing {
  readonly #file: FileHandle
  readonly #growing: GrowingFile
  #held: Buffer[] = []
  #heldBytes = 0
  #written = 0
  #running: Promise<void> | null = null

  constructor(file: FileHandle, growing: GrowingFile) {
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
      this.#growing.grew(this.#written)
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
