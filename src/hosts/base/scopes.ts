import { operations as declared } from '../../contract/areas/index.ts'
import type { Scope } from '../../contract/declarations/operation.ts'
import type { HostOperations } from './adapter.ts'

/** The scopes of what is offered at all. */
export function scopesOffered(operations: HostOperations): ReadonlySet<Scope> {
  const offered = declared.filter(({ id }) => id in operations)
  const named = offered.flatMap(({ scope }) => {
    if (scope === null || scope === 'owner') return []
    if (typeof scope === 'string') return [scope]
    return 'needs' in scope ? Object.values(scope.needs).flat() : [...scope]
  })
  return new Set(named)
}
