import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { giveBack } from '../../../computer/give-back.ts'
import { Moved } from '../../worker-thread.ts'
import { TarBytes } from './tar-bytes.ts'

/** So many are packed in one go. */
const TOGETHER = 32

/** A small file for a batch. Times in ms since 1970. */
export interface SmallFile {
  /** Its name in the tar stream. */
  path: string
  source: string
  /** Where it begins in its source; null where that is its own. */
  sourceAt: number | null
  /** Of one that is not read here: all of it. */
  content?: Uint8Array
  size: number
  modifiedAt: number | null
}

/** What became of building a batch: the stream's bytes, and the files that could not be read as they were announced. */
export interface PackedBatch {
  bytes: Uint8Array
  sha256: (string | null)[]
  faults: { index: number; code: string }[]
}

/** Packs small files into a tar stream (pax) with the hash of each. A file that changed meanwhile is left out. */
export async function packBatch(files: SmallFile[]): Promise<Moved> {
  const tar = new TarBytes(files)
  const faults: PackedBatch['faults'] = []
  const sha256: PackedBatch['sha256'] = files.map(() => null)
  using shared = new SharedSources()
  for (const [index, file] of files.entries()) {
    tar.add({ ...file, size: file.content?.length ?? file.size }, (into) => {
      const code = contentOf(file, into, shared)
      if (code === null) return (sha256[index] = hash('sha256', into))
      faults.push({ index, code })
      return null
    })
    // Others wait for this thread too.
    if (index % TOGETHER === TOGETHER - 1) await turn()
  }
  const bytes = tar.end()
  return new Moved({ bytes, sha256, faults } satisfies PackedBatch, [bytes.buffer])
}

/** Puts a file's bytes in; answers the code of what is wrong, `CHANGED` where it is no longer what was announced. */
function contentOf(file: SmallFile, into: Buffer, shared: SharedSources): string | null {
  const { content, source, sourceAt } = file
  try {
    if (content) {
      into.set(content)
      giveBack(content)
      return null
    }
    if (sourceAt !== null) return isRead(shared.opened(source), into, sourceAt) ? null : 'CHANGED'
    const fd = openSync(source, 'r')
    try {
      const now = fstatSync(fd)
      const same = file.modifiedAt === null || Math.trunc(now.mtimeMs) === file.modifiedAt
      return now.size === file.size && same && isRead(fd, into, 0) ? null : 'CHANGED'
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO'
  }
}

/** Fills it with what stands in a file from there on; false where that is less. */
function isRead(fd: number, into: Buffer, from: number): boolean {
  for (let at = 0; at < into.length;) {
    const more = readSync(fd, into, at, into.length - at, from + at)
    if (more === 0) return false
    at += more
  }
  return true
}

/** Files that hold several of a batch: each is opened once. */
class SharedSources implements Disposable {
  readonly #opened = new Map<string, number>()

  opened(source: string): number {
    const fd = this.#opened.get(source) ?? openSync(source, 'r')
    this.#opened.set(source, fd)
    return fd
  }

  [Symbol.dispose](): void {
    for (const fd of this.#opened.values()) closeSync(fd)
  }
}
