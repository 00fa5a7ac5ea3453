import { operations } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import { ApiProfile } from '../api/profile/profile.ts'
import { answerFields, requestFields } from '../api/reader/shape.ts'
import type { DriftRow } from '../views/cache/tables/drift-table.ts'

type Override = NonNullable<ApiProfile['operations']>[string]

export const REQUEST = 'request.'
const ITEM = 'items.[].'

/**
 * Extends a profile with what was seen: fields under other names, places of lists, names expected in requests. Existing
 * entries win. Null if there is nothing to add.
 */
export function proposeProfile(
  baseUrl: string,
  now: ApiProfile | null,
  rows: readonly DriftRow[],
): ApiProfile | null {
  const overrides = new Map<string, Override>()
  for (const op of operations) {
    const seen = rows.filter((row) => row.operation === op.id && row.foundAs !== null)
    if (seen.length === 0) continue
    const before = now?.operations?.[op.id] ?? {}
    const after = seen.reduce((override, row) => withRow(op, override, row), before)
    if (JSON.stringify(after) !== JSON.stringify(before)) overrides.set(op.id, after)
  }
  if (overrides.size === 0) return null
  const proposed = { ...now, baseUrl, operations: { ...now?.operations, ...Object.fromEntries(overrides) } }
  return ApiProfile.safeParse(proposed).data ?? null
}

function withRow(op: Operation, override: Override, { field, foundAs }: DriftRow): Override {
  const name = foundAs as string
  if (field.startsWith(REQUEST)) {
    const wanted = field.slice(REQUEST.length)
    if (!requestFields(op).includes(wanted) || override.request?.[wanted] !== undefined) return override
    return { ...override, request: { ...override.request, [wanted]: name } }
  }
  if (op.answer.kind === 'list' && field === 'items') return { ...override, items: override.items ?? name }
  if (op.answer.kind === 'json' && field === '') return { ...override, envelope: override.envelope ?? name }
  const known = fieldOf(op, field)
  if (known === null || override.answer?.[known] !== undefined) return override
  return { ...override, answer: { ...override.answer, [known]: fieldPath(known, name) } }
}

function fieldOf(op: Operation, field: string): string | null {
  const fields = answerFields(op)
  const inner = field.startsWith(ITEM) ? field.slice(ITEM.length) : field
  if (fields.includes(inner)) return inner
  // In an envelope.
  const below = inner.slice(inner.indexOf('.') + 1)
  return fields.includes(below) ? below : null
}

/** Sibling path, relative to the value or the innermost list's item. */
function fieldPath(field: string, name: string): string {
  const within = field.slice(field.lastIndexOf('[].') < 0 ? 0 : field.lastIndexOf('[].') + 3)
  const end = within.lastIndexOf('.')
  return end < 0 ? name : `${within.slice(0, end)}.${name}`
}
