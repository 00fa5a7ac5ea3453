import { readSync } from 'node:fs'
import type { FileHashes } from '../../extensions/catalogs/extension-catalog.ts'
import type { PositionReader } from '../../extensions/jars/class-java.ts'
import { boundedFacts, type JarReading } from '../../extensions/jars/facts.ts'
import { type ReadBudget, readJarBy } from '../../extensions/jars/read-jar.ts'
import { FileHasher } from '../../extensions/requests/file-hasher.ts'
import { collect } from '../base/body.ts'
import type { RemoteFolder } from './remote-folder.ts'

/** Bytes. Smaller jars are read whole where parts can be read, too: it takes one request, and gives their hashes. */
const SMALL = 2 * 1024 * 1024
/** Bytes of a jar that is read whole. */
const WHOLE_MOST = 64 * 1024 * 1024
const HASHED_MOST = 2 * 1024 ** 3
const BLOCK = 64 * 1024
/** Of one jar: bytes read in parts, and rounds of requests. */
const PARTS_MOST = 24 * 1024 * 1024
const ROUNDS_MOST = 20
/** Reading happens beside everything else that this process does. */
const BUDGET: ReadBudget = {
  ...{ entries: 100_000, nested: 200, bytes: 24 * 1024 * 1024, classes: 0, ahead: 0 },
}

export interface RemoteReading extends JarReading {
  hashes: FileHashes | null
  /** Not all jars inside it were read, so that it may provide more. */
  isPartial: boolean
}

/** Reads the descriptions of a jar at a host, in parts where it can. Throws what the folder throws. */
export async function readRemoteJar(
  folder: RemoteFolder,
  path: string,
  size: number,
): Promise<RemoteReading> {
  const read = size > SMALL ? await readInParts(folder, path, size) : null
  if (read) return read
  if (size > WHOLE_MOST) return { facts: null, why: 'too-large', hashes: null, isPartial: true }
  const bytes = await wholeOf(folder, path)
  const readAt: PositionReader = (into, position) => bytes.copy(into, 0, position, position + into.length)
  return { ...(await readBy(readAt, bytes.length)), hashes: hashesOf(bytes) }
}

/** Null if it is too large. */
export async function hashRemoteJar(
  folder: RemoteFolder,
  path: string,
  size: number,
): Promise<FileHashes | null> {
  if (size > HASHED_MOST) return null
  const hasher = new FileHasher()
  for await (const piece of (await folder.read(path)).stream as AsyncIterable<Buffer>) {
    hasher.add(piece)
    if (hasher.size > HASHED_MOST) return null
  }
  return hasher.hashes
}

/** Of a file on this computer. */
export const readLocalJar = (fd: number, size: number): Promise<PlainReading> =>
  readBy((into, position) => readSync(fd, into, 0, into.length, position), size)

type PlainReading = Omit<RemoteReading, 'hashes'>

async function readBy(read: PositionReader, size: number): Promise<PlainReading> {
  const budget = { ...BUDGET }
  const reading = await readJarBy(read, size, budget)
  const facts = boundedFacts(reading.facts)
  return { ...reading, facts, isPartial: (budget.isUsedUp ?? false) || facts !== reading.facts }
}

const wholeOf = async (folder: RemoteFolder, path: string): Promise<Buffer> =>
  collect((await folder.read(path)).stream, WHOLE_MOST)

/** Again after each round of requests, until nothing that was needed lacks. Null: the host gives files only whole. */
async function readInParts(folder: RemoteFolder, path: string, size: number): Promise<RemoteReading | null> {
  const file = new PartlyReadFile(size)
  file.want(0, 4)
  file.want(Math.max(0, size - 4 * BLOCK), size)
  for (let round = 0; ; round++) {
    for (const { from, to } of file.takeWanted()) {
      const part = await folder.readPart(path, from, to)
      if (!part) return null
      file.keep(from, part)
    }
    const reading = await readBy((into, position) => file.read(into, position), size)
    const isWhole = !file.isWanting
    if (isWhole || round === ROUNDS_MOST || file.bytesWith() > PARTS_MOST) {
      const why = !isWhole && !reading.facts?.length ? 'too-large' : reading.why
      const facts = why === 'too-large' ? null : reading.facts
      return { ...reading, facts, why, hashes: null, isPartial: !isWhole || reading.isPartial }
    }
  }
}

/** Blocks of a file, and which ones lack. */
class PartlyReadFile {
  readonly #size: number
  readonly #blocks = new Map<number, Buffer>()
  readonly #wanted = new Set<number>()

  constructor(size: number) {
    this.#size = size
  }

  get isWanting(): boolean {
    return this.#wanted.size > 0
  }

  /** Bytes, with the wanted ones. */
  bytesWith(): number {
    return (this.#blocks.size + this.#wanted.size) * BLOCK
  }

  want(from: number, to: number): void {
    for (let at = Math.floor(from / BLOCK); at * BLOCK < Math.min(to, this.#size); at++)
      if (!this.#blocks.has(at)) this.#wanted.add(at)
  }

  /** Bytes read; fewer where some lack. */
  read(into: Buffer, position: number): number {
    this.want(position, position + into.length)
    for (let done = 0; ;) {
      const at = position + done
      const block = this.#blocks.get(Math.floor(at / BLOCK))
      const copied = block?.copy(into, done, at % BLOCK) ?? 0
      if (copied === 0) return done
      done += copied
      if (done === into.length) return done
    }
  }

  /** Neighbors together. */
  takeWanted(): { from: number; to: number }[] {
    const ranges: { from: number; to: number }[] = []
    for (const at of [...this.#wanted].sort((a, b) => a - b)) {
      const [from, to] = [at * BLOCK, Math.min((at + 1) * BLOCK, this.#size)]
      const last = ranges.at(-1)
      if (last?.to === from) last.to = to
      else ranges.push({ from, to })
    }
    this.#wanted.clear()
    return ranges
  }

  keep(from: number, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += BLOCK)
      this.#blocks.set((from + at) / BLOCK, bytes.subarray(at, at + BLOCK))
  }
}

function hashesOf(bytes: Buffer): FileHashes {
  const hasher = new FileHasher()
  hasher.add(bytes)
  return hasher.hashes
}
