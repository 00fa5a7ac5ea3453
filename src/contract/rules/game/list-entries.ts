import { asOneLine } from '../../messages/one-line.ts'
import { nameBeside } from '../players/player-names.ts'
import { valuesIn } from './list-text.ts'
import { asUuid } from './player-uuid.ts'

/** Also the longest message to a player, in characters. */
export const REASON_MAX = 500

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

export const listTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ') + ' +0000'
