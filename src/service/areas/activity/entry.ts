import type { z } from 'zod'
import { type ActivityResult, TARGETS_MOST } from '../../../contract/areas/activity.ts'
import type { LogTarget } from '../../../contract/declarations/operation.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { ServerWrite } from '../../http/serve.ts'

const TARGET_CHARS = 300

type Result = Exclude<z.output<typeof ActivityResult>, object>

export interface WriteSummary {
  area: string
  action: string
  kind: string | null
  targets: readonly string[]
  count: number
  result: Result
  reason: string | null
}

/** Null for intermediate steps. */
export function notedOf(write: ServerWrite): WriteSummary | null {
  const { op, refused, below } = write
  if (refused === null && write.told.length === 0 && (below || op.logged?.by === 'handler')) return null
  const all = op.logged ? targetsOf(op.logged, write) : []
  return {
    area: op.area,
    action: actionOf(write),
    kind: all.length > 0 ? (op.logged?.is ?? null) : null,
    targets: all.slice(0, TARGETS_MOST).map((one) => asOneLine(one).slice(0, TARGET_CHARS)),
    count: all.length,
    ...resultOf(write),
  }
}

/** Operation and variant, from the closed list its scopes use. */
function actionOf({ op, body }: ServerWrite): string {
  const rule = op.scope
  if (rule === null || typeof rule === 'string' || !('by' in rule)) return op.id
  const word = valueIn(body, rule.by)
  return typeof word === 'string' && Object.hasOwn(rule.needs, word) ? `${op.id}.${word}` : op.id
}

function targetsOf(logged: LogTarget, { params, query, body, answer, told }: ServerWrite): string[] {
  switch (logged.by) {
    case 'params':
      return textsOf(valueIn(params, logged.field))
    case 'query':
      return textsOf(valueIn(query, logged.field))
    case 'body':
      return textsOf(valueIn(body, logged.field), logged.each).flatMap(
        (text) => logged.as?.(text) ?? (logged.as ? [] : text),
      )
    case 'names':
      return Object.keys(body ?? {})
    case 'results':
      return textsOf(valueIn(answer, 'results'), logged.field)
    case 'handler':
      return [...told]
  }
}

function textsOf(value: unknown, each?: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => textsOf(each === undefined ? one : valueIn(one, each)))
  if (typeof value === 'boolean') return [String(value)]
  return typeof value === 'string' && value !== '' ? [value] : []
}

function resultOf({ op, refused, answer }: ServerWrite): { result: Result; reason: string | null } {
  if (refused !== null)
    return { result: refused === 'service.failed' ? 'failed' : 'refused', reason: refused }
  const results = valueIn(answer, 'results')
  const outcomes = Array.isArray(results) ? results.map((one: unknown) => valueIn(one, 'outcome')) : []
  const failed = outcomes.filter((outcome) => outcome === 'failed').length
  if (failed > 0) return { result: failed === outcomes.length ? 'failed' : 'partly', reason: null }
  const isOpen = op.status === 202 || outcomes.includes('unconfirmed')
  return { result: isOpen ? 'accepted' : 'done', reason: null }
}

const valueIn = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined
