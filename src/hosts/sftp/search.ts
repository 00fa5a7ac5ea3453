import type { z } from 'zod'
import { type FileEntry, PATH_MOST, type SearchHit } from '../../contract/areas/values/file-values.ts'
import { unlessAborted } from '../../contract/rules/lanes.ts'
import { folded, LineSearch, SEARCHED_MOST } from '../../contract/rules/line-search.ts'
import { joined } from '../../contract/rules/paths.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import { entryOf } from './files.ts'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import * as remote from './remote.ts'
import { isShorter } from './session.ts'

type Entry = z.input<typeof FileEntry>
type Hit = z.input<typeof SearchHit>

export interface SearchWish {
  /** The folder that is searched with all below it. */
  path?: string | undefined
  name?: string | undefined
  text?: string | undefined
  limit?: number | undefined
}

const SEARCH_MS = 20_000
const HITS_MOST = 500
/** Folders and files asked for at once. */
const AT_ONCE = 8
/** Of the paths of all folders at one depth. */
const LETTERS_MOST = 16 * 1024 * 1024
const DEPTH_MOST = 200
/** So much tells whether a file is text; then the rest is asked for. */
const HEAD = 8192
/** A world has thousands of such files, and each would have to be opened. */
const NO_TEXT = /\.(mca|mcc|mcr|dat|dat_old|nbt|schem|schematic|jar|zip|gz|tgz|png|jpe?g|ogg|db|sqlite)$/i

/** Searches by name, by content, or both; links aren't followed, and what can't be read is left out. */
export class SftpSearch {
  readonly #link: SshLink
  readonly #folder: ServerFolder

  constructor(link: SshLink, folder: ServerFolder) {
    this.#link = link
    this.#folder = folder
  }

  /** Throws 422 `files.search-too-long` rather than answer with a part. */
  async run(wish: SearchWish, caller: Caller, mostMs = SEARCH_MS): Promise<Hit[]> {
    const late = AbortSignal.timeout(mostMs)
    const signal = AbortSignal.any([caller.signal, late])
    try {
      // A host may take its time with each answer.
      return await unlessAborted(this.#hits(wish, { ...caller, signal }), signal)
    } catch (error) {
      caller.signal.throwIfAborted()
      throw late.aborted ? tooLong(mostMs) : error
    }
  }

  async #hits({ path = '', name = '', text = '', limit = HITS_MOST }: SearchWish, caller: Caller) {
    const hits: Hit[] = []
    const named = folded(name)
    let folders = [path]
    for (let depth = 0; folders.length > 0; depth++) {
      if (depth > DEPTH_MOST) throw hostRefusal(413, 'sftp.folder-size')
      const below: string[] = []
      let letters = 0
      for (const some of inGroups(folders)) {
        caller.signal.throwIfAborted()
        const lists = await Promise.all(some.map((folder) => this.#list(folder, depth === 0, caller)))
        for (const { folder, entries } of lists) {
          const matching = entries.filter((entry) => folded(entry.name).includes(named))
          const found =
            text === ''
              ? matching.slice(0, limit).map((entry) => hitOf(folder, entry))
              : await this.#lines(folder, matching, { text, limit }, caller)
          hits.push(...found)
          if (hits.length >= limit) return hits.slice(0, limit)
          for (const { kind, name: inner } of entries) {
            const at = joined(folder, inner)
            // What is longer can't be opened here.
            if (kind !== 'folder' || at.length > PATH_MOST) continue
            below.push(at)
            letters += at.length
            if (letters > LETTERS_MOST) throw hostRefusal(413, 'sftp.folder-size')
          }
        }
      }
      folders = below
    }
    return hits
  }

  async #list(
    folder: string,
    isFirst: boolean,
    caller: Caller,
  ): Promise<{ folder: string; entries: Entry[] }> {
    const session = await this.#link.open(caller)
    try {
      // Below the first, no link is met.
      const at = isFirst ? await this.#folder.at(session, folder) : this.#folder.named(folder)
      const entries = (await remote.entriesIn(session, at)).map((entry) => entryOf(entry))
      return { folder, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) }
    } catch (error) {
      if (isFirst || !mayBeLeftOut(error)) throw error
      return { folder, entries: [] }
    }
  }

  async #lines(folder: string, entries: Entry[], wish: LinesWish, caller: Caller): Promise<Hit[]> {
    const files = entries.filter(
      ({ kind, name, size }) => kind === 'file' && (size ?? 0) <= SEARCHED_MOST && !NO_TEXT.test(name),
    )
    const hits: Hit[] = []
    for (const some of inGroups(files)) {
      caller.signal.throwIfAborted()
      const found = await Promise.all(some.map((file) => this.#linesOf(hitOf(folder, file), wish, caller)))
      for (const lines of found) hits.push(...lines)
      if (hits.length >= wish.limit) break
    }
    return hits
  }

  async #linesOf(file: Hit, { text, limit }: LinesWish, caller: Caller): Promise<Hit[]> {
    const hits: Hit[] = []
    const search = new LineSearch(text)
    const take = (piece: Buffer, isLast: boolean) => {
      for (const line of search.linesIn(piece, isLast)) {
        hits.push({ ...file, ...line })
        if (hits.length >= limit) return
      }
    }
    try {
      for await (const piece of this.#bytes(file, search, caller)) {
        take(piece, false)
        if (hits.length >= limit) return hits
      }
    } catch (error) {
      if (!mayBeLeftOut(error) && !isShorter(error)) throw error
    }
    take(Buffer.alloc(0), true)
    return hits
  }

  async *#bytes({ path, size }: Hit, search: LineSearch, caller: Caller): AsyncGenerator<Buffer> {
    const session = await this.#link.open(caller)
    const handle = await remote.open(session, this.#folder.named(path), 'r')
    const end = size ?? SEARCHED_MOST
    const head = Math.min(HEAD, end)
    try {
      yield* remote.bytesIn(session, handle, 0, head)
      if (search.isBinary) return
      for await (const piece of remote.bytesIn(session, handle, head, end)) {
        caller.signal.throwIfAborted()
        yield piece
      }
    } finally {
      void remote.close(session, handle)
    }
  }
}

interface LinesWish {
  text: string
  limit: number
}

const hitOf = (folder: string, { name, kind, size, modifiedAt }: Entry): Hit => ({
  ...{ path: joined(folder, name), kind, size, modifiedAt },
})

/** What this user may not read, or is gone meanwhile. Neither a silent host nor a folder that is too large. */
const mayBeLeftOut = (error: unknown): boolean =>
  error instanceof HostRefusal && [403, 404, 409].includes(error.status)

const tooLong = (ms: number) => hostRefusal(422, 'files.search-too-long', { seconds: ms / 1000 })

function* inGroups<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE)
}
