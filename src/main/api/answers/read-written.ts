import type { Operation } from '../../../contract/declarations/operation.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import type { ParsedAnswer } from './read-answer.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { plain } from '../reader/scalars.ts'

const CONFIRMING = new Set(['ok', 'success'])
const NO = new Set<unknown>([false, 0, 'false', '0'])

/** What revokes the success a write's status claims, or null (contract.md, "Common rules"). */
export function takenBack(op: Operation, text: string, read: unknown): LocalizedText | null {
  // Broken JSON means the answer was cut. Any other text is the service's way of saying yes.
  if (read === undefined) return /^\s*[{[]/.test(text) ? localized('answer.cut') : null
  return isFields(read) && denies(read, declaredBy(op)) ? localized('answer.not-done') : null
}

export function denies(body: Fields, declared: ReadonlySet<string> = new Set()): boolean {
  for (const name in body) {
    if (!Object.hasOwn(body, name) || declared.has(name)) continue
    if (CONFIRMING.has(plain(name)) && NO.has(body[name])) return true
  }
  // A declared `error` field, such as a failed job's, isn't an error of the request.
  return !declared.has('error') && isSaid(own(body, 'error'))
}

export const isRefusal = (value: unknown): boolean => isFields(value) && own(value, 'accepted') === false

function isSaid(error: unknown): boolean {
  switch (typeof error) {
    case 'string':
      return error.trim() !== ''
    case 'object':
      return error !== null && Object.keys(error).length > 0
    default:
      return Boolean(error)
  }
}

const nothing: ReadonlySet<string> = new Set()

function declaredBy({ answer }: Operation): ReadonlySet<string> {
  if (answer.kind !== 'json') return nothing
  const { shape } = answer.schema as { shape?: object }
  return new Set(Object.keys(shape ?? {}))
}

export const unconfirmed = (why: LocalizedText): ParsedAnswer => ({
  value: null,
  fit: { kind: 'unconfirmed', why },
})
