import { asOneLine } from '../../contract/messages/one-line.ts'
import { REASON_MAX } from '../../contract/areas/players.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { nameBeside } from '../../contract/rules/players/player-names.ts'
import { asUuid } from './player-uuid.ts'
import { decodedList, valuesIn } from './list-text.ts'
import { readWorldText, UnusableFile } from './world-file.ts'

/** Minecraft's lists of players, by their files. */
export const LIST_FILES = {
  cache: 'usercache.json',
  ops: 'ops.json',
  whitelist: 'whitelist.json',
  bans: 'banned-players.json',
} as const
export type ListName = keyof typeof LIST_FILES

/** Bytes of a list: 15,000 bans have about 4 MiB, and hold everybody up for some 30 ms when they are parsed. */
export const LIST_BYTES = 4 * 1024 * 1024

/** An entry of a list: who it names, if anybody, and what else it says. */
export interface ListEntry {
  uuid: string | null
  name: string | null
  /** Of a ban. */
  reason: string | null
  /** As written, to tell one ban from another. */
  created: string | null
  /** When a ban ends, in ms since 1970; null where it does not. Of the cache: when the entry does. */
  expires: number | null
}

/** A list as it is on the disk: `damaged` where there is a file and it is no such list. */
export type KnownList =
  | {
      kind: 'read'
      entries: readonly ListEntry[]
      /** Whether each entry names a player. */
      isWhole: boolean
      mark: string | null
    }
  | { kind: 'damaged'; entries: readonly ListEntry[]; why: string }

const NONE: KnownList = { kind: 'read', entries: [], isWhole: true, mark: null }

/** Reads the lists of one server, each only where its file has changed. */
export class KnownLists {
  readonly #known = new Map<ListName, KnownList>()

  async read(files: ServerFiles, name: ListName): Promise<KnownList> {
    const known = this.#known.get(name)
    const mark = known?.kind === 'read' ? (known.mark ?? undefined) : undefined
    let list: KnownList
    try {
      const read = await readWorldText(files, LIST_FILES[name], LIST_BYTES, mark, 'latin1')
      if (read === 'same' && known) return known
      list = read === null || read === 'same' ? NONE : listIn(decodedList(read.text), read.mark)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      list = { kind: 'damaged', entries: [], why: error.message }
    }
    this.#known.set(name, list)
    return list
  }
}

/** Errors of the disk included: one unreadable file must not hide the other lists. */
const isUnreadable = (error: unknown): error is Error =>
  error instanceof UnusableFile ||
  error instanceof SyntaxError ||
  (error instanceof Error && 'syscall' in error)

function listIn(text: string, mark: string): KnownList {
  const all = entriesIn(text)
  const entries = all.filter(({ uuid, name }) => uuid !== null || name !== null)
  if (entries.length === 0 && all.length > 0) throw new SyntaxError('No entry of it names a player.')
  return { kind: 'read', entries, isWhole: entries.length === all.length, mark }
}

/** Parses a list, one entry per element. Throws SyntaxError if the text is not a list. */
export const entriesIn = (text: string): ListEntry[] => valuesIn(text).map(entryOf)

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

/** `2026-11-20 18:00:00 +0000` in ms since 1970; null for `forever` and anything else. */
export function timeIn(text: string | null): number | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/.exec(text ?? '')
  if (!match) return null
  const [, day, time, hours, minutes] = match
  const ms = Date.parse(`${day}T${time}${hours}:${minutes}`)
  return Number.isFinite(ms) ? ms : null
}
