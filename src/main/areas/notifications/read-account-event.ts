import type { z } from 'zod'
import { accountEvents, type AccountEventName } from '../../../contract/areas/notifications.ts'
import { isTextWithin, SMALL } from '../../api/body/read-body.ts'
import type { TextLimits } from '../../api/body/unpack.ts'
import type { Findings } from '../../api/reader/drift.ts'
import { parseJson } from '../../api/reader/json.ts'
import { readerOf } from '../../api/reader/reader.ts'
import { MISFIT } from '../../api/reader/leaf-reader.ts'
import { kindOf } from '../../api/reader/scalars.ts'

export type AccountEvent = {
  [N in AccountEventName]: { kind: N; data: z.output<(typeof accountEvents)[N]> }
}[AccountEventName]

const EVENT: TextLimits = { ...SMALL, bytes: 64 * 1024 }

/** Null if unknown, too long or unreadable. `findings` receives differences from the contract. */
export function readAccountEvent(name: string, data: string, findings: Findings): AccountEvent | null {
  if (!isTextWithin(EVENT, Buffer.from(data))) return null
  const value = valueOf(data)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    findings.within(name, () => findings.note('object', kindOf(value)))
    return null
  }
  // `message` is the default name of an event.
  const kind: unknown = name === 'message' ? (value as { type?: unknown }).type : name
  if (typeof kind !== 'string' || !isKnown(kind)) return null
  const read = findings.within(kind, () => readerOf(accountEvents[kind]).read(value, findings))
  return read === MISFIT ? null : ({ kind, data: read } as AccountEvent)
}

const isKnown = (name: string): name is AccountEventName => Object.hasOwn(accountEvents, name)

function valueOf(data: string): unknown {
  try {
    return parseJson(data)
  } catch {
    return undefined
  }
}
