import { otherNamesOf } from '../../../contract/declarations/also-named.ts'
import type { ErrorBody } from '../../../contract/declarations/errors.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Drift } from '../reader/drift.ts'
import { wantedFields } from '../reader/error.ts'
import { plain } from '../reader/scalars.ts'
import { requestFields, type Shape } from '../reader/shape.ts'

/**
 * Names that a service wants for fields of a request which it refused. The specification shows neither the field of a
 * command nor those of the account operations, so a refusal is the only place where they can be learned. One that is spelt
 * otherwise is ours, and so is one of its other names; else there must be exactly one of ours that it can mean.
 */
export function suggestedFieldNames(op: Operation, error: ErrorBody['error'], shape: Shape | null): Drift[] {
  const ours = requestFields(op).filter((name) => !name.includes('.'))
  const sent = new Set(ours.map((name) => shape?.request?.[name] ?? name))
  let open = wantedFields(error).filter((name) => !sent.has(name) && /^[\w.-]{1,60}$/.test(name))
  let free = ours.filter((name) => shape?.request?.[name] === undefined)
  const found: Drift[] = []
  /** Takes each name that can mean one of ours and no other. */
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
