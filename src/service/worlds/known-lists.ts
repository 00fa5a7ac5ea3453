import { Yielder } from '../../host/yield.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import {
  entriesIn,
  LIST_BYTES,
  LIST_FILES,
  type ListEntry,
  type ListName,
} from '../../contract/rules/game/list-entries.ts'
import { readWorldText, UnusableFile } from './world-file.ts'

/** `damaged`: exists but isn't a list. */
type KnownList =
  | {
      kind: 'read'
      entries: readonly ListEntry[]
      isWhole: boolean
      mark: string | null
    }
  | { kind: 'damaged'; entries: readonly ListEntry[]; why: string; mark: string | null }

const NONE: KnownList = { kind: 'read', entries: [], isWhole: true, mark: null }

/** Reads a server's lists, each only after changes. */
export class KnownLists {
  readonly #known = new Map<ListName, KnownList>()
  readonly #readings = new Lanes({ perLane: 1 })

  read(files: ServerFiles, name: ListName): Promise<KnownList> {
    return this.#readings.share(name, () => this.#read(files, name))
  }

  async #read(files: ServerFiles, name: ListName): Promise<KnownList> {
    const known = this.#known.get(name)
    let list: KnownList
    try {
      const read = await readWorldText(
        files,
        LIST_FILES[name],
        LIST_BYTES,
        known?.mark ?? undefined,
        'latin1',
      )
      if (read === 'same' && known) return known
      await new Yielder().turn()
      list = read === null || read === 'same' ? NONE : listIn(read.text, read.mark)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      list = damaged(error, null)
    }
    this.#known.set(name, list)
    return list
  }
}

/** Includes disk errors: one unreadable file must not hide the other lists. */
const isUnreadable = (error: unknown): error is Error =>
  error instanceof UnusableFile || (error instanceof Error && 'syscall' in error)

const damaged = ({ message }: Error, mark: string | null): KnownList => ({
  ...{ kind: 'damaged', entries: [], why: message, mark },
})

/** @param bytes one character per byte */
function listIn(bytes: string, mark: string): KnownList {
  try {
    const all = entriesIn(bytes)
    const entries = all.filter(({ uuid, name }) => uuid !== null || name !== null)
    if (entries.length === 0 && all.length > 0) throw new SyntaxError('No entry of it names a player.')
    return { kind: 'read', entries, isWhole: entries.length === all.length, mark }
  } catch (error) {
    if (error instanceof SyntaxError) return damaged(error, mark)
    throw error
  }
}
