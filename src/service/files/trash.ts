import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Lanes } from '../../contract/rules/lanes.ts'
import { readDataFile } from '../../host/data-file.ts'
import type { TrashEntry } from '../../contract/areas/values/file-values.ts'
import { uptimeAge } from '../../host/uptime-clock.ts'
import { isoTime, type AgingClock } from '../base/clock.ts'
import { refusal } from '../../host/refusal.ts'
import { kindOf } from './names/entry.ts'
import { asRefusal } from './names/refusals.ts'
import type { FileLocation, ServerFiles } from './server-files.ts'
import { moveFolder } from './safe-fs/move-folder.ts'
import { removeTree } from './safe-fs/remove-tree.ts'
import { eachOf, measureTree } from './safe-fs/walk.ts'
import { Yielder } from '../../host/yield.ts'

/** In days of uptime, so expiry is delayed while the computer is off. */
export const TRASH_DAYS = 30
/** In bytes, with a quota at most a quarter of it. The oldest go first. */
const TRASH_BYTES = 10 * 1024 ** 3
/** The end of year 9999 in Unix ms. */
const LATEST = Date.UTC(10_000, 0) - 1
const TRASH_ITEMS = 10_000
const DAY_MS = 24 * 60 * 60 * 1000

const sweeping = new WeakMap<ServerFiles, { again: boolean }>()
/** Shares walks, as a trash may have ten thousand items and be requested repeatedly. */
const walks = new Lanes({ perLane: 1 })

const Record = z.object({
  path: z.string().min(1),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().min(0),
  /** Within the calendar's range: a damaged record must not break the list. */
  deletedAt: z.number().min(0).max(LATEST),
  /** By uptime; absent for items of earlier versions. */
  seenAt: z.number().nullish(),
})
type Record = z.infer<typeof Record>
interface TrashItem extends Record {
  id: string
  /** Unreadable now, perhaps temporarily. */
  unread?: boolean
}
/** Call id, sorted by time, and the item's number in it. */
const ID = /^([0-9a-z]{9}[0-9a-f]{12})-\d{1,6}$/

/** Deleted items: `<id>/item` with `<id>/record.json`, on the server's disk so that moves are atomic. */
export class Trash {
  readonly #files: ServerFiles
  readonly #clock: AgingClock

  constructor(files: ServerFiles, clock: AgingClock) {
    this.#files = files
    this.#clock = clock
  }

  get maxBytes(): number {
    const { lastingQuota } = this.#files.space
    return lastingQuota === null ? TRASH_BYTES : Math.min(TRASH_BYTES, Math.floor(lastingQuota / 4))
  }

  newCall(): string {
    return this.#clock.now().toString(36).padStart(9, '0') + randomBytes(6).toString('hex')
  }

  async take(located: FileLocation, call: string, number: number): Promise<z.input<typeof TrashEntry>> {
    const { bytes } = await measureTree(located.folder, located.name)
    return this.#put(located, `${call}-${number}`, bytes, (to) => moveFolder(located.at, to))
  }

  /** Synchronous: for a file, whose size needs no walk. Replaces what an interrupted call left. */
  put(located: Pick<FileLocation, 'at' | 'path'>, id: string): void {
    rmSync(join(this.#files.trash, id), { recursive: true, force: true })
    this.#put(located, id, lstatSync(located.at).size, (to) => moveFolder(located.at, to))
  }

  /** Keeps a file about to be replaced, by hard link, or moves it where the disk has none. */
  keep(located: FileLocation, call: string, number: number): void {
    const size = lstatSync(located.at).size
    this.#put(located, `${call}-${number}`, size, (to) => {
      try {
        linkSync(located.at, to)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
        renameSync(located.at, to)
      }
    })
  }

  #put(
    located: Pick<FileLocation, 'at' | 'path'>,
    id: string,
    size: number,
    move: (to: string) => void,
  ): z.input<typeof TrashEntry> {
    const kind = kindOf(lstatSync(located.at))
    const record: Record = {
      path: located.path,
      kind,
      size,
      deletedAt: this.#clock.now(),
      seenAt: this.#clock.seen(),
    }
    const folder = join(this.#files.trash, id)
    mkdirSync(folder, { mode: 0o700 })
    try {
      writeFileSync(join(folder, 'record.json'), JSON.stringify(record), { mode: 0o600 })
      move(join(folder, 'item'))
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
    return view({ ...record, id })
  }

  async list(): Promise<z.input<typeof TrashEntry>[]> {
    const held = await this.#held()
    // Take turns: callers sharing a walk all convert a long list now.
    await new Yielder().turn()
    return held.map(view)
  }

  /** `at`: its path on disk. Throws Refusal 404 `files.not-found`. */
  async find(id: string): Promise<TrashItem & { at: string }> {
    const found = ID.test(id) ? await this.#read(id) : null
    if (!found) throw refusal(404, 'files.not-found.trash')
    return { ...found, at: join(this.#files.trash, id, 'item') }
  }

  async release(id: string): Promise<void> {
    await removeTree(join(this.#files.trash, id))
  }

  /** Deletes forever; undefined: everything. Unknown ids are ignored. */
  async purge(ids: string[] | undefined, checkAgain: () => void): Promise<void> {
    const held = await this.#held()
    const wanted = ids && new Set(ids)
    await this.#erase(wanted ? held.filter(({ id }) => wanted.has(id)) : held, checkAgain)
  }

  /** Deletes expired items, then the oldest above the limits. Never those of the latest call. */
  async sweep(): Promise<void> {
    const under = sweeping.get(this.#files)
    // One sweep serves all deletions that come during it.
    if (under) return void (under.again = true)
    const own = { again: false }
    sweeping.set(this.#files, own)
    try {
      do {
        own.again = false
        await this.#sweepOnce()
      } while (own.again)
    } finally {
      sweeping.delete(this.#files)
    }
  }

  async #sweepOnce(): Promise<void> {
    const held = await this.#held()
    const seen = this.#clock.seen()
    const yielder = new Yielder()
    for (const item of held) {
      await yielder.next()
      this.#stamp(item, seen)
    }
    const newest = held[0]?.id.split('-')[0]
    let bytes = 0
    const gone = held.filter((item, index) => {
      bytes += item.size
      const isOld = uptimeAge(item.seenAt, seen) > TRASH_DAYS * DAY_MS
      const isTooMuch = bytes > this.maxBytes || index >= TRASH_ITEMS
      return isOld || (isTooMuch && !item.id.startsWith(`${newest}-`))
    })
    await this.#erase(gone)
  }

  /** Starts aging items without a valid stamp: of earlier versions, or after uptime was lost. */
  #stamp(item: TrashItem, seen: number): void {
    if (typeof item.seenAt === 'number' && item.seenAt <= seen) return
    item.seenAt = seen
    if (item.unread) return
    const { id, ...record } = item
    const file = join(this.#files.trash, id, 'record.json')
    try {
      writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    } catch {
      // Restored meanwhile, or the disk is full: continue with the others.
    }
  }

  /** Removes as many items as it can, then throws the first error. */
  async #erase(items: readonly TrashItem[], checkAgain?: () => void): Promise<void> {
    const { trash, space } = this.#files
    const failed: unknown[] = []
    for (const { id, path, size } of items) {
      checkAgain?.()
      try {
        // The record last, so an item that stays keeps its name.
        await removeTree(join(trash, id, 'item'))
        await removeTree(join(trash, id))
        space.add(-size)
      } catch (error) {
        space.forget()
        failed.push(asRefusal(error, path))
      }
    }
    if (failed.length > 0) throw failed[0]
  }

  /** Newest first; at least as recent as this call. */
  async #held(): Promise<readonly TrashItem[]> {
    return walks.share(this.#files.trash, () => this.#walk())
  }

  async #walk(): Promise<readonly TrashItem[]> {
    const held: { item: TrashItem; number: number }[] = []
    const yielder = new Yielder()
    await eachOf(await namesIn(this.#files.trash), async (id) => {
      await yielder.next()
      const item = ID.test(id) ? await this.#read(id) : null
      if (item) held.push({ item, number: Number(id.split('-')[1]) })
    })
    // Don't trust dates alone: the clock may have been set back.
    const sorted = held.sort(
      ({ item: a, number: aNumber }, { item: b, number: bNumber }) =>
        (b.seenAt ?? 0) - (a.seenAt ?? 0) || b.deletedAt - a.deletedAt || aNumber - bNumber,
    )
    return sorted.map(({ item }) => item)
  }

  async #read(id: string): Promise<TrashItem | null> {
    const folder = join(this.#files.trash, id)
    // A power failure lost the record: restore the item under a made-up name.
    const recovered = { id, path: `recovered-${id}`, deletedAt: parseInt(id.slice(0, 9), 36) }
    let item: Stats | undefined
    try {
      item = lstatSync(join(folder, 'item'), { throwIfNoEntry: false })
    } catch {
      // List it anyway; operations on it report the reason.
      return { ...recovered, kind: 'other', size: 0, unread: true }
    }
    if (!item) return null
    const about = { ...recovered, kind: kindOf(item), size: item.size }
    try {
      const record = recordIn(await readDataFile(join(folder, 'record.json')))
      return record ? { ...record, id } : about
    } catch {
      return { ...about, unread: true }
    }
  }
}

function recordIn(text: string | null): Record | null {
  try {
    return Record.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** Empty if the trash is gone. */
async function namesIn(trash: string): Promise<string[]> {
  try {
    return await readdir(trash)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const view = ({ id, path, kind, size, deletedAt }: TrashItem): z.input<typeof TrashEntry> => ({
  id,
  path,
  kind,
  size,
  deletedAt: isoTime(deletedAt),
})
