import { z } from 'zod'
import { events, type EventName } from '../../contract/areas/console.ts'
import { isTextWithin, SMALL } from '../api/body/read-body.ts'
import { AnswerComplexityError, type TextLimits } from '../api/body/unpack.ts'
import type { Findings } from '../api/reader/drift.ts'
import { parseJson } from '../api/reader/json.ts'
import { readerOf } from '../api/reader/reader.ts'
import { MISFIT } from '../api/reader/leaf-reader.ts'
import { kindOf } from '../api/reader/scalars.ts'

type Payload<N extends EventName> = z.output<(typeof events)[N]>

/** Lines are parsed later: they come by the thousand. */
export type ConsoleEvent =
  | { kind: 'lines'; serverId: string; lines: readonly unknown[] }
  | { [N in Exclude<EventName, 'lines'>]: { kind: N } & Payload<N> }[Exclude<EventName, 'lines'>]

const AnyLines = z.object({ serverId: z.string(), lines: z.array(z.unknown()) })
/** Must fit the longest console's page in one event. */
const LINES: TextLimits = { bytes: 8 * 1024 * 1024, values: 120_000, depth: 100 }

const KINDS = ['lines', 'status', 'stats', 'players', 'job'] as const

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads an event by name, or by its fields if unnamed. Null for unknown or unreadable events. Throws if it is not JSON
 * or exceeds the limits of its kind.
 */
export function readEvent(name: string, data: string, findings: Findings): ConsoleEvent | null {
  const bytes = Buffer.from(data)
  const isSmall = isTextWithin(SMALL, bytes)
  if (!isSmall && !isTextWithin(LINES, bytes)) throw new AnswerComplexityError()
  const value: unknown = JSON.parse(data)
  if (!isFields(value)) {
    findings.within(name, () => findings.note('object', kindOf(value)))
    return null
  }
  const kind = nameOf(name, value)
  if (kind === null) return null
  if (name !== kind)
    findings.within('event', () =>
      value['type'] === kind ? findings.note('text', 'text', 'type') : findings.note('text', 'missing'),
    )
  const { serverId, lines } = value
  if (kind === 'lines' && typeof serverId === 'string' && Array.isArray(lines))
    return { kind, serverId, lines }
  if (!isSmall) throw new AnswerComplexityError()
  // Keeps long ids exact, which would lose digits as numbers.
  const exact = parseJson(data)
  const reader = readerOf(kind === 'lines' ? AnyLines : events[kind])
  const read = findings.within(kind, () => reader.read(exact, findings))
  return read === MISFIT ? null : ({ kind, ...(read as object) } as ConsoleEvent)
}

function nameOf(name: string, value: Record<string, unknown>): EventName | null {
  // Unnamed events are called `message`.
  const named = name === 'message' ? value['type'] : name
  if (typeof named === 'string' && Object.hasOwn(events, named)) return named as EventName
  if (name !== 'message') return null
  return KINDS.find((kind) => Object.hasOwn(value, kind)) ?? null
}
