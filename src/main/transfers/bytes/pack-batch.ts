import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pack } from 'tar-stream'
import { TransferredResult } from '../../base/worker-thread.ts'

/** Overhead per file: two tar headers, the pax data and padding. */
const BESIDE = 2560

/** Times in ms since 1970. */
export interface SmallFile {
  path: string
  source: string
  /** Offset in its source; null if the source is the file itself. */
  sourceAt: number | null
  content?: Uint8Array
  size: number
  modifiedAt: number | null
}

export interface PackedBatch {
  bytes: Uint8Array
  sha256: (string | null)[]
  faults: { index: number; code: string }[]
}

/** Packs a tar stream (pax) with a hash per file. Changed files are left out. */
export async function packBatch(files: SmallFile[]): Promise<TransferredResult> {
  const tar = pack()
  const packed = new ChunkBuffer(files.reduce((sum, { size }) => sum + size + BESIDE, 0))
  const ended = (async () => {
    for await (const chunk of tar as AsyncIterable<Uint8Array>) packed.take(chunk)
  })()
  const faults: PackedBatch['faults'] = []
  const sha256: PackedBatch['sha256'] = files.map(() => null)
  using shared = new SharedSources()
  const CHUNK = 32
  for (let at = 0; at < files.length; at += CHUNK) {
    const some = files.slice(at, at + CHUNK)
    const read = await Promise.all(
      some.map(async (file) => file.content ?? shared.read(file) ?? readSmall(file)),
    )
    for (const [offset, content] of read.entries()) {
      const index = at + offset
      const file = some[offset]
      if (!file) continue
      if (typeof content === 'string') {
        faults.push({ index, code: content })
        continue
      }
      const hash = createHash('sha256').update(content).digest('hex')
      sha256[index] = hash
      const pax: Record<string, string> = { 'WHEELHOUSE.sha256': hash }
      // The ustar header stores whole seconds.
      if (file.modifiedAt !== null) pax['mtime'] = (file.modifiedAt / 1000).toFixed(3)
      await new Promise<void>((resolve, reject) => {
        tar.entry(
          {
            name: file.path,
            size: content.length,
            mode: 0o644,
            ...(file.modifiedAt === null ? {} : { mtime: new Date(file.modifiedAt) }),
            pax,
          },
          Buffer.from(content.buffer, content.byteOffset, content.byteLength),
          (error) => (error ? reject(error) : resolve()),
        )
      })
    }
  }
  tar.finalize()
  await ended
  const bytes = packed.end()
  return new TransferredResult({ bytes, sha256, faults } satisfies PackedBatch, [bytes.buffer])
}

class ChunkBuffer {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
  }

  take(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.max(length, this.#bytes.length * 2)))
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  end(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer.transfer(this.#length))
  }
}

/** Files that contain several items, each opened once. We wrote them ourselves. */
class SharedSources implements Disposable {
  readonly #opened = new Map<string, number>()

  /** As `readSmall`; null if the file has its own source. */
  read({ source, sourceAt, size }: SmallFile): Buffer | string | null {
    if (sourceAt === null) return null
    try {
      const fd = this.#opened.get(source) ?? openSync(source, 'r')
      this.#opened.set(source, fd)
      const content = Buffer.allocUnsafeSlow(size)
      for (let read = 0; read < size;) {
        const more = readSync(fd, content, read, size - read, sourceAt + read)
        if (more === 0) return 'CHANGED'
        read += more
      }
      return content
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'EIO'
    }
  }

  [Symbol.dispose](): void {
    for (const fd of this.#opened.values()) closeSync(fd)
  }
}

/** The bytes or an error code; `CHANGED` if the file isn't as announced. */
async function readSmall(file: SmallFile): Promise<Buffer | string> {
  try {
    const fd = openSync(file.source, 'r')
    let now
    try {
      now = fstatSync(fd)
    } finally {
      closeSync(fd)
    }
    const same = file.modifiedAt === null || Math.trunc(now.mtimeMs) === file.modifiedAt
    if (now.size !== file.size || !same) return 'CHANGED'
    const content = await readFile(file.source)
    return content.length === file.size ? content : 'CHANGED'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO'
  }
}
