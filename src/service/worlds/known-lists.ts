import { asOneLine } from '../../contract/messages/one-line.ts'
import { REASON_MAX } from '../../contract/areas/players.ts'
import { Yielder } from '../base/yield.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { nameBeside } from '../../contract/rules/players/player-names.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { asUuid } from './player-uuid.ts'
import { valuesIn } from './list-text.ts'
import { readWorldText, UnusableFile } from './world-file.ts'

export const LIST_FILES = {
  cache: 'usercache.json',
  ops: 'ops.json',
  whitelist: 'whitelist.json',
  bans: 'banned-players.json',
} as const
export type ListName = keyof typeof LIST_FILES

/** Bytes: 15,000 bans have about 4 MiB and block about 30 ms while parsed. */
export const LIST_BYTES = 4 * 1024 * 1024

export interface ListEntry {
  uuid: string | null
  name: string | null
  reason: string | null
  /** As written; identifies a ban. */
  created: string | null
  /** Unix ms; null for permanent bans. In the cache: expiry of the entry. */
  expires: number | null
}

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

/** Throws SyntaxError. @param bytes one character per byte */
export const entriesIn = (bytes: string): ListEntry[] => valuesIn(bytes).map(entryOf)

const isFields = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

const textIn = (raw: Record<string, unknown>, field: string): string | null => {
  const value = Object.hasOwn(raw, field) ? raw[field] : null
  return typeof value === 'string' ? value : null
}

function entryOf(element: unknown): ListEntry {
  const raw = isFields(element) ? element : {}
  const uuid = asUuid(textIn(raw, 'uuid') ?? '')
  const name = nameBeside(uuid, textIn(raw, 'name'))
  const reason = textIn(raw, 'reason')
  return {
    ...{ uuid, name },
    reason: reason === null ? null : asOneLine(reason.slice(0, REASON_MAX)),
    created: textIn(raw, 'created')?.slice(0, 100) ?? null,
    expires: timeIn(textIn(raw, 'expires') ?? textIn(raw, 'expiresOn')),
  }
}

/** `2026-11-20 18:00:00 +0000` → Unix ms; null for `forever` and anything else. */
export function timeIn(text: string | null): number | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/.exec(text ?? '')
  if (!match) return null
  const [, day, time, hours, minutes] = match
  const ms = Date.parse(`${day}T${time}${hours}:${minutes}`)
  return Number.isFinite(ms) ? ms : null
}
