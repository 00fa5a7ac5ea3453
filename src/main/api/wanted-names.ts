import type { ErrorBody } from '../../contract/areas/errors.ts'
import type { Operation } from '../../contract/areas/operation.ts'
import type { Drift } from './reader/drift.ts'
import { wantedFields } from './reader/error.ts'
import { plain } from './reader/scalars.ts'
import { requestFields, type Shape } from './shape.ts'

/**
 * Names that a service wants for fields of a request which it refused. The specification shows neither the field of a
 * command nor those of the account operations, so a refusal is the only place where they can be learned. One that is spelt
 * otherwise is ours; else there must be exactly one of ours that it can mean.
 */
export function wantedNames(op: Operation, error: ErrorBody['error'], shape: Shape | null): Drift[] {
  const ours = requestFields(op).filter((name) => !name.includes('.'))
  const sent = new Set(ours.map((name) => shape?.request?.[name] ?? name))
  const wanted = wantedFields(error).filter((name) => !sent.has(name) && /^[\w.-]{1,60}$/.test(name))
  const free = ours.filter((name) => shape?.request?.[name] === undefined)
  const found: Drift[] = []
  const open: string[] = []
  for (const name of wanted) {
    const same = free.find((own) => plain(own) === plain(name))
    if (same) found.push({ path: `request.${same}`, expected: 'text', found: 'missing', as: name })
    else open.push(name)
  }
  const taken = new Set(found.map(({ path }) => path))
  const left = free.filter((name) => !taken.has(`request.${name}`))
  const [name, ...others] = open
  const [own, ...more] = left
  if (name !== undefined && own !== undefined && others.length === 0 && more.length === 0)
    found.push({ path: `request.${own}`, expected: 'text', found: 'missing', as: name })
  return found
}
