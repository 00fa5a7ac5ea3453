import type { Operation } from '../../../contract/declarations/operation.ts'
import { type Said, say } from '../../../contract/messages/say.ts'
import type { Reading } from './read-answer.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { plain } from '../reader/scalars.ts'

/** Words of an answer that take back what its status says, where they are false. */
const CONFIRMING = new Set(['ok', 'success'])
const NO = new Set<unknown>([false, 0, 'false', '0'])

/**
 * What takes back the success that the status of a write claims (contract.md, "Common rules"); null where nothing does:
 * its body adds to it, and whatever else it is costs nothing.
 *
 * @param read the body as JSON; `undefined` where it is none
 */
export function takenBack(op: Operation, text: string, read: unknown): Said | null {
  // Begins as JSON and is none: it was cut. Any other text is a service's own way of saying yes.
  if (read === undefined) return /^\s*[{[]/.test(text) ? say('answer.cut') : null
  return isFields(read) && denies(read, declaredBy(op)) ? say('answer.not-done') : null
}

/** Whether a body says of itself that nothing was done. */
export function denies(body: Fields, declared: ReadonlySet<string> = new Set()): boolean {
  for (const name in body) {
    if (!Object.hasOwn(body, name) || declared.has(name)) continue
    if (CONFIRMING.has(plain(name)) && NO.has(body[name])) return true
  }
  // A job that failed was begun all the same: what the contract has a name for is no error of the request.
  return !declared.has('error') && isSaid(own(body, 'error'))
}

/** Whether what the contract has of an answer says that the service did not take what was sent. */
export const isRefusal = (value: unknown): boolean => isFields(value) && own(value, 'accepted') === false

/** Whether there is an error, as against the place of one. */
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

export const unconfirmed = (why: Said): Reading => ({ value: null, fit: { kind: 'unconfirmed', why } })
