import { mkdirSync, renameSync, writeSync, openSync, closeSync, fstatSync } from 'node:fs'
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { clearTheWay } from '../set-aside.ts'

/** Buffer limit while the disk is slow, in characters; the rest is counted and dropped. */
const HELD_MOST = 4 * 1024 * 1024

/** A log file and its predecessor (`panel.log`, `panel.log.1`), each up to `mostBytes`, readable by this user only. */
export class LogFile {
  readonly path: string
  readonly #most: number
  #file: FileHandle | null = null
  #size = 0
  #held: string[] = []
  #heldLength = 0
  #dropped = 0
  #writing: Promise<void> | null = null

  constructor(path: string, mostBytes: number) {
    this.path = path
    this.#most = mostBytes
  }

  /** Queues lines, each ending in a line break. Never throws. */
  write(lines: string): void {
    if (this.#heldLength + lines.length > HELD_MOST) {
      this.#dropped++
      return
    }
    this.#held.push(lines)
    this.#heldLength += lines.length
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null
    })
  }

  /** Resolves when everything so far is written, or can't be. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#file?.close().catch(() => {})
    this.#file = null
  }

  flushSync(): void {
    const text = this.#take()
    if (text === '') return
    try {
      const folder = dirname(this.path)
      mkdirSync(folder, { recursive: true })
      clearTheWay(dirname(folder), this.path)
      const file = openSync(this.path, 'a', 0o600)
      if (fstatSync(file).size + Buffer.byteLength(text) > this.#most) renameSync(this.path, `${this.path}.1`)
      writeSync(file, text)
      closeSync(file)
    } catch {
      // Nobody is left to report to.
    }
  }

  #take(): string {
    const text = this.#held.join('')
    this.#held = []
    this.#heldLength = 0
    return text
  }

  async #drain(): Promise<void> {
    // Batch everything logged within one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#held.length > 0) {
      const lost = this.#dropped
      this.#dropped = 0
      const note = lost > 0 ? `{"level":40,"time":${Date.now()},"msg":"${lost} entries were dropped"}\n` : ''
      const bytes = Buffer.from(this.#take() + note)
      try {
        await this.#put(bytes)
      } catch {
        // A full or missing disk must not stop the panel; the next entry retries.
        await this.#file?.close().catch(() => {})
        this.#file = null
      }
    }
  }

  async #put(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      await this.#ready(bytes.length - from)
      const room = Math.max(this.#most - this.#size, 0)
      const upTo = from + room >= bytes.length ? bytes.length : bytes.lastIndexOf(10, from + room - 1) + 1
      // A single entry longer than a whole file gets a file of its own.
      const end = upTo > from ? upTo : bytes.indexOf(10, from) + 1 || bytes.length
      const { bytesWritten } = await (this.#file as FileHandle).write(bytes, from, end - from)
      this.#size += bytesWritten
      from += bytesWritten
    }
  }

  async #ready(wanted: number): Promise<void> {
    if (!this.#file) {
      const folder = dirname(this.path)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A FIFO would block forever and a folder is no log, so move either aside.
      for (const one of [this.path, `${this.path}.1`]) clearTheWay(dirname(folder), one)
      this.#file = await open(this.path, 'a', 0o600)
      this.#size = (await this.#file.stat()).size
    }
    if (this.#size === 0 || this.#size + Math.min(wanted, 1024) <= this.#most) return
    await this.#file.close()
    this.#file = null
    await rename(this.path, `${this.path}.1`)
    this.#file = await open(this.path, 'a', 0o600)
    this.#size = 0
  }
}
