import { otherNamesOf } from '../../../contract/declarations/also-named.ts'
import type { ErrorBody } from '../../../contract/declarations/errors.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Drift } from '../reader/drift.ts'
import { wantedFields } from '../reader/error.ts'
import { plain } from '../reader/scalars.ts'
import { requestFields, type Shape } from '../reader/shape.ts'

/** Takes field names from a refusal: the specification doesn't give those of commands and account operations. */
export function suggestedFieldNames(op: Operation, error: ErrorBody['error'], shape: Shape | null): Drift[] {
  const ours = requestFields(op).filter((name) => !name.includes('.'))
  const sent = new Set(ours.map((name) => shape?.request?.[name] ?? name))
  let open = wantedFields(error).filter((name) => !sent.has(name) && /^[\w.-]{1,60}$/.test(name))
  let free = ours.filter((name) => shape?.request?.[name] === undefined)
  const found: Drift[] = []
  /** Takes each name that matches exactly one of ours. */
  const match = (means: (wanted: string, own: string) => boolean): void => {
    for (const wanted of open) {
      const [own, ...more] = free.filter((name) => means(wanted, name))
      if (own === undefined || more.length > 0) continue
      found.push({ path: `request.${own}`, expected: 'text', found: 'missing', as: wanted })
      open = open.filter((name) => name !== wanted)
      free = free.filter((name) => name !== own)
    }
  }
  const others = op.body ? otherNamesOf(op.body) : {}
  match((wanted, own) => plain(own) === plain(wanted))
  match((wanted, own) => others[own]?.some((name) => plain(name) === plain(wanted)) === true)
  if (open.length === 1) match(() => true)
  return found
}
