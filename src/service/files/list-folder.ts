import type { z } from 'zod'
import type { FileEntry } from '../../contract/areas/values/file-values.ts'
import { refusal } from '../../host/refusal.ts'
import { fileEntryOf } from './names/entry.ts'
import type { OpenedFolder } from './safe-fs/opened-folder.ts'
import { goFirst } from '../base/priority.ts'
import { refusing } from './names/refusals.ts'
import type { ServerFiles } from './server-files.ts'
import { sorted } from './sorted.ts'
import { Yielder } from '../../host/yield.ts'

const PAGE = 1000
/** Synchronous stats are several times faster (20,000: 0.05 s instead of 0.3 s); 200 block for at most 1 ms. */
const IN_ONE_GO = 200
const PIECE = 1000

type Entry = z.input<typeof FileEntry>

interface FolderPage {
  items: Entry[]
  nextCursor: string | null
}

interface PageQuery {
  limit?: number
  cursor?: string
}

/** Sorted by name. The cursor is the previous page's last entry, so changes cause no gaps or duplicates. */
export async function listFolder(files: ServerFiles, path: string, query: PageQuery): Promise<FolderPage> {
  return refusing(path, async () => {
    using listing = await Listing.open(files, path, query)
    const items: Entry[] = []
    for (let some = await listing.next(); some; some = await listing.next())
      for (const entry of some) items.push(entry)
    return { items, nextCursor: listing.nextCursor }
  })
}

/** Streams large folders. Errors after the first chunk break off the response. */
export async function answerFolder(
  files: ServerFiles,
  path: string,
  query: PageQuery,
): Promise<FolderPage | Response> {
  return refusing(path, async () => {
    const listing = await Listing.open(files, path, query)
    let handed = false
    try {
      const first = (await listing.next()) ?? []
      if (listing.isAtEnd) return { items: first, nextCursor: listing.nextCursor }
      handed = true
      return new Response(inPieces(first, listing), { headers: { 'Content-Type': 'application/json' } })
    } finally {
      if (!handed) listing[Symbol.dispose]()
    }
  })
}

function inPieces(first: Entry[], listing: Listing): ReadableStream<Uint8Array> {
  let lead = '{"items":['
  let ready: Entry[] | null = first
  const yielder = new Yielder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const some = ready ?? (await listing.next())
        ready = null
        if (some) {
          // Take turns with other requests: the first chunk was ready immediately.
          await yielder.next()
          controller.enqueue(Buffer.from(lead + JSON.stringify(some).slice(1, -1)))
          lead = ','
          return
        }
        controller.enqueue(Buffer.from(`],"nextCursor":${JSON.stringify(listing.nextCursor)}}`))
        controller.close()
        listing[Symbol.dispose]()
      } catch (error) {
        listing[Symbol.dispose]()
        controller.error(error)
      }
    },
    cancel: () => listing[Symbol.dispose](),
  })
}

class Listing implements Disposable {
  readonly nextCursor: string | null
  readonly #folder: OpenedFolder
  readonly #names: readonly string[]
  readonly #yielder = new Yielder()
  #at = 0

  private constructor(folder: OpenedFolder, names: readonly string[], nextCursor: string | null) {
    this.#folder = folder
    this.#names = names
    this.nextCursor = nextCursor
  }

  static async open(files: ServerFiles, path: string, { limit = PAGE, cursor }: PageQuery): Promise<Listing> {
    const after = cursor === undefined ? null : fromCursor(cursor)
    goFirst()
    const folder = files.open(path)
    try {
      const all = await sorted(await folder.names(), new Yielder())
      const names = after === null ? all : all.filter((name) => name > after)
      const page = names.slice(0, limit)
      const last = page.at(-1)
      return new Listing(folder, page, names.length > limit && last !== undefined ? toCursor(last) : null)
    } catch (error) {
      folder[Symbol.dispose]()
      throw error
    }
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#names.length
  }

  async next(): Promise<Entry[] | null> {
    goFirst()
    const items: Entry[] = []
    while (items.length < PIECE && !this.isAtEnd) {
      if (this.#at > 0) await this.#yielder.next()
      const some = this.#names.slice(this.#at, this.#at + IN_ONE_GO)
      this.#at += some.length
      const stats = this.#folder.stats(some)
      for (const [i, name] of some.entries()) {
        const stat = stats[i]
        if (stat) items.push(fileEntryOf(name, stat))
      }
    }
    // Without handles, verify that it is still the same folder.
    void this.#folder.itself
    return items.length > 0 ? items : null
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

const toCursor = (name: string): string => Buffer.from(`n${name}`).toString('base64url')

function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('n')) return text.slice(1)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
