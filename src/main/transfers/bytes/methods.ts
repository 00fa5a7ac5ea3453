import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { pack } from 'tar-stream'
import { fileTime } from '../../../computer/file-time.ts'
import { giveBack } from '../../../computer/give-back.ts'
import { collectGarbage } from '../../../computer/rest.ts'
import { Moved } from '../../worker-thread.ts'

/** Bytes read at once while hashing. */
const STRIDE = 1024 * 1024

/** What a file takes in a tar stream besides its own bytes: two headers, what the first tells, and what fills blocks up. */
const BESIDE = 2560

/** A small file for a batch. Times in ms since 1970. */
export interface SmallFile {
  /** Its name in the tar stream. */
  path: string
  source: string
  /** Of one that is not read here: all of it. */
  content?: Uint8Array
  size: number
  modifiedAt: number | null
}

/** A small file that is to be written here. */
export interface WrittenFile {
  path: string
  size: number
  /** In ms since 1970. */
  modifiedAt: number
}

/** What became of building a batch: the stream's bytes, and the files that could not be read as they were announced. */
export interface PackedBatch {
  bytes: Uint8Array
  sha256: (string | null)[]
  faults: { index: number; code: string }[]
}

/** Work on bytes that would hold up main's thread: it runs in a worker. */
export function createMethods() {
  const hashes = new Map<string, { hash: Hash; at: number }>()
  const buffer = Buffer.allocUnsafe(STRIDE)
  return {
    close: () => undefined,
    /** Lets go of what is not needed while nobody asks for anything. */
    rest: () => collectGarbage(),
    /** Hashing, SHA-256, of bytes that come in order: handed over, or read from a file. */
    begin: (job: string) => void hashes.set(job, { hash: createHash('sha256'), at: 0 }),
    update: (job: string, bytes: Uint8Array) => void hashes.get(job)?.hash.update(bytes),
    /** Goes on to where the file's first so many bytes end; false where it was forgotten or the file is shorter. */
    async hashUpTo(job: string, file: string, upTo: number): Promise<boolean> {
      const fd = openSync(file, 'r')
      try {
        for (;;) {
          const known = hashes.get(job)
          if (!known) return false
          if (known.at >= upTo) return true
          const read = readSync(fd, buffer, 0, Math.min(buffer.length, upTo - known.at), known.at)
          if (read === 0) return false
          known.hash.update(buffer.subarray(0, read))
          known.at += read
          // Others wait for this thread too.
          await turn()
        }
      } finally {
        closeSync(fd)
      }
    },
    /** The hash in base64, and its end. */
    digest(job: string): string {
      const known = hashes.get(job)
      hashes.delete(job)
      return known?.hash.digest('base64') ?? ''
    },
    forget: (job: string) => void hashes.delete(job),

    /** Writes small files, whose bytes follow one another, for this user alone. In one go: each is a few system calls. */
    writeMany(files: readonly WrittenFile[], bytes: Uint8Array): void {
      let at = 0
      for (const { path, size, modifiedAt } of files) {
        const fd = openSync(path, 'w', 0o600)
        try {
          for (const end = at + size; at < end;) at += writeSync(fd, bytes, at, end - at)
          const time = fileTime(modifiedAt)
          futimesSync(fd, time, time)
        } finally {
          closeSync(fd)
        }
      }
    },

    /** Size and time of many files at once, and what tells a folder by; null for those that are not there. */
    statMany: (files: string[]) =>
      Promise.all(
        files.map(async (file) => {
          const found = await stat(file).catch(() => null)
          return found
            ? {
                size: found.size,
                modifiedAt: Math.trunc(found.mtimeMs),
                isFolder: found.isDirectory(),
                id: `${found.dev}:${found.ino}`,
              }
            : null
        }),
      ),

    /**
     * Renames a file where its new name is free; answers null then, or the code of what is wrong: `EEXIST` where it is
     * taken. For file systems without links: both steps follow each other with nothing of ours in between, and a panel
     * that is killed here has renamed it or has not.
     */
    renameIfFree(from: string, to: string): string | null {
      try {
        if (lstatSync(to, { throwIfNoEntry: false })) return 'EEXIST'
        renameSync(from, to)
        return null
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'EIO'
      }
    },

    /** Packs small files into a tar stream (pax) with the hash of each. A file that changed meanwhile is left out. */
    async packBatch(files: SmallFile[]): Promise<Moved> {
      const tar = pack()
      const contents = new Set<ArrayBufferLike>()
      const packed = new Gathered(files.reduce((sum, { size }) => sum + size + BESIDE, 0))
      const ended = (async () => {
        for await (const chunk of tar as AsyncIterable<Uint8Array>) {
          packed.take(chunk)
          // What the packer brings itself, such as the end, it uses again.
          if (contents.delete(chunk.buffer)) giveBack(chunk)
        }
      })()
      const faults: PackedBatch['faults'] = []
      const sha256: PackedBatch['sha256'] = files.map(() => null)
      const CHUNK = 32
      for (let at = 0; at < files.length; at += CHUNK) {
        const some = files.slice(at, at + CHUNK)
        const read = await Promise.all(some.map(async (file) => file.content ?? readSmall(file)))
        for (const [offset, content] of read.entries()) {
          const index = at + offset
          const file = some[offset]
          if (!file) continue
          if (typeof content === 'string') {
            faults.push({ index, code: content })
            continue
          }
          contents.add(content.buffer)
          const hash = createHash('sha256').update(content).digest('hex')
          sha256[index] = hash
          const pax: Record<string, string> = { 'WHEELHOUSE.sha256': hash }
          // The ustar header holds whole seconds.
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
      return new Moved({ bytes, sha256, faults } satisfies PackedBatch, [bytes.buffer])
    },
  }
}

/** Bytes in one piece, which grows where it was taken too small. */
class Gathered {
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

/** A small file's bytes, or the code of what is wrong; `CHANGED` where it is no longer what was announced. */
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

/** As main sees these methods. */
export type Methods = Omit<ReturnType<typeof createMethods>, 'packBatch'> & {
  packBatch(files: SmallFile[]): Promise<PackedBatch>
}
