import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import type { RemoteFile } from '../catalog.ts'
import type { Digests } from './digests.ts'

const Entry = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int().nonnegative(),
  /** Ms, counting across restarts. */
  usedAt: z.number(),
})
type Entry = z.infer<typeof Entry>

/** The same address with another checksum is another file. */
export function keyOf({ url, checksum }: RemoteFile): string {
  const sum = checksum ? `${checksum.algorithm}:${checksum.value}` : ''
  return createHash('sha256').update(`${url}\n${sum}`).digest('hex')
}

/** Times by the clock of `usedAt`. */
interface Sweep {
  before: number
  lately: number
  mostBytes: number
  isBusy: (key: string) => boolean
}

/** The index is written before the content, so a kill can only leave content missing. */
export class KeptContent {
  readonly #contents: string
  readonly #index: string
  readonly #seen: () => number
  /** Uses in this run, which an index read earlier may lack. */
  readonly #lately = new Map<string, number>()

  constructor(folder: string, seen: () => number) {
    this.#contents = path.join(folder, 'content')
    this.#index = path.join(folder, 'index')
    this.#seen = seen
    for (const one of [this.#contents, this.#index]) mkdirSync(one, { recursive: true, mode: 0o700 })
  }

  pathOf(sha256: string): string {
    return path.join(this.#contents, sha256)
  }

  /** Not verified. Finds content that came from another catalog too. */
  async find(file: RemoteFile): Promise<Entry | null> {
    const indexed = await this.#entry(keyOf(file))
    if (indexed && this.#isThere(indexed.sha256, indexed.size)) return indexed
    if (file.checksum?.algorithm !== 'sha256') return null
    const { value: sha256 } = file.checksum
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null
    const size = lstatSync(this.pathOf(sha256), { throwIfNoEntry: false })?.size
    return size === undefined ? null : { sha256, size, usedAt: this.#seen() }
  }

  async keep(file: RemoteFile, from: string, digests: Digests): Promise<string> {
    const to = this.pathOf(digests.sha256)
    this.use(file, digests)
    try {
      await rename(from, to)
    } catch (error) {
      // Windows can't replace open files; fine if the content is the same.
      if (!this.#isThere(digests.sha256, digests.size)) throw error
      await rm(from, { force: true })
    }
    return to
  }

  use(file: RemoteFile, { sha256, size }: Pick<Entry, 'sha256' | 'size'>): void {
    const entry: Entry = { sha256, size, usedAt: this.#seen() }
    this.#lately.set(sha256, entry.usedAt)
    writeDataFile(path.join(this.#index, keyOf(file)), JSON.stringify(entry))
  }

  async drop(sha256: string): Promise<void> {
    await rm(this.pathOf(sha256), { recursive: true, force: true })
  }

  async bytesBefore(before: number): Promise<number> {
    const lastUse = new Map<string, number>()
    for (const { entry } of await this.#entries())
      lastUse.set(entry.sha256, Math.max(entry.usedAt, lastUse.get(entry.sha256) ?? -Infinity))
    const old = (await readdir(this.#contents)).filter((name) => (lastUse.get(name) ?? -Infinity) < before)
    return old.reduce((sum, name) => sum + this.#sizeOf(name), 0)
  }

  /** Also removes dangling index entries. Returns the bytes freed. */
  async sweep({ before, lately, mostBytes, isBusy }: Sweep): Promise<number> {
    // Read first, to exclude files that arrive meanwhile.
    const names = await readdir(this.#contents)
    const entries = await this.#entries()
    const lastUse = new Map(this.#lately)
    for (const { entry, key } of entries) {
      const at = isBusy(key) ? Infinity : entry.usedAt
      lastUse.set(entry.sha256, Math.max(at, lastUse.get(entry.sha256) ?? -Infinity))
    }
    // Synchronous from here: nobody can request a file between check and removal.
    const there = names.map((name) => ({
      name,
      size: this.#sizeOf(name),
      usedAt: Math.max(lastUse.get(name) ?? -Infinity, this.#lately.get(name) ?? -Infinity),
    }))
    let left = there.reduce((sum, { size }) => sum + size, 0)
    const all = left
    for (const { name, size, usedAt } of there.sort((a, b) => a.usedAt - b.usedAt)) {
      if (usedAt >= before && (left <= mostBytes || usedAt >= lately)) continue
      rmSync(this.pathOf(name), { recursive: true, force: true })
      this.#lately.delete(name)
      left -= size
    }
    for (const { key, entry } of entries)
      if (!this.#isThere(entry.sha256, entry.size) && !isBusy(key))
        rmSync(path.join(this.#index, key), { recursive: true, force: true })
    return all - left
  }

  async #entries(): Promise<{ key: string; entry: Entry }[]> {
    const found: { key: string; entry: Entry }[] = []
    for (const key of await readdir(this.#index)) {
      const entry = await this.#entry(key)
      if (entry) found.push({ key, entry })
      else rmSync(path.join(this.#index, key), { recursive: true, force: true })
    }
    return found
  }

  #entry(key: string): Promise<Entry | null> {
    return readDataJson(path.join(this.#index, key), (value) => Entry.parse(value))
  }

  #sizeOf(name: string): number {
    return lstatSync(this.pathOf(name), { throwIfNoEntry: false })?.size ?? 0
  }

  #isThere(sha256: string, size: number): boolean {
    const stat = lstatSync(this.pathOf(sha256), { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.size === size
  }
}
