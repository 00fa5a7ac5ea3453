import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Yielder } from '../../../host/yield.ts'
import { partsOf, requireDepth } from '../../files/names/names.ts'
import type { BackupEntry } from '../backup-store.ts'
import { damaged } from '../entries/entries.ts'

/** `isCopy`: its bytes were copied first, as it was in use or changed meanwhile. */
export interface ListedEntry extends BackupEntry {
  isCopy: boolean
}

const FORMAT = 'wheelhouse-list-1'
const GATHERED_CHARS = 256 * 1024
const LINE_CHARS = 32 * 1024

/** What a backup holds, a line for each: restic's own names aren't exact where they aren't valid UTF-8. */
export class ListWriter implements AsyncDisposable {
  readonly #handle: FileHandle
  #lines = `${JSON.stringify([FORMAT])}\n`
  #count = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(file: string): Promise<ListWriter> {
    return new ListWriter(await open(file, 'wx', 0o600))
  }

  async add({ path, kind, size, modifiedAt, mode, isCopy }: ListedEntry): Promise<void> {
    const common = [path, kind === 'folder' ? 'd' : isCopy ? 'c' : 'f', Math.round(modifiedAt), mode & 0o777]
    await this.#write(kind === 'folder' ? common : [...common, size])
    this.#count++
  }

  async end(): Promise<void> {
    await this.#write(['end', this.#count])
    await this.#flush()
    await this.#handle.sync()
  }

  async #write(line: readonly (string | number)[]): Promise<void> {
    this.#lines += `${JSON.stringify(line)}\n`
    if (this.#lines.length >= GATHERED_CHARS) await this.#flush()
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(this.#lines)
    this.#lines = ''
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close()
  }
}

/** Rejects with Refusal `backups.damaged` at what can't be ours, and where the end is missing. */
export async function* readList(file: string): AsyncGenerator<ListedEntry, void, undefined> {
  const yielder = new Yielder()
  let [count, isEnded, rest] = [-1, false, '']
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    if (rest.length > LINE_CHARS) throw damaged()
    for (const line of lines) {
      await yielder.next()
      const read = parsed(line)
      if (isEnded || (count === -1 && read[0] !== FORMAT)) throw damaged()
      isEnded = count >= 0 && read[0] === 'end' && read[1] === count
      if (count++ >= 0 && !isEnded) yield entryOf(read)
    }
  }
  if (!isEnded || rest !== '') throw damaged()
}

function parsed(line: string): unknown[] {
  try {
    const read: unknown = JSON.parse(line)
    if (Array.isArray(read)) return read
  } catch {
    // As below.
  }
  throw damaged()
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function entryOf([path, kind, modifiedAt, mode, size = 0]: unknown[]): ListedEntry {
  const isRight = isAmount(mode) && isAmount(size) && Number.isSafeInteger(modifiedAt)
  if (!isRight || typeof path !== 'string' || !isOurs(path) || !['d', 'f', 'c'].includes(String(kind)))
    throw damaged()
  const record = { path, size, modifiedAt: modifiedAt as number, mode }
  return { ...record, kind: kind === 'd' ? 'folder' : 'file', isCopy: kind === 'c' }
}

/** Not outside, and not deeper than anything here may be. */
export function isOurs(path: string): boolean {
  try {
    requireDepth(path)
    return partsOf(path).length > 0
  } catch {
    return false
  }
}
