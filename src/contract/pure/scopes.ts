import type { Scope } from '../areas/operation.ts'

/** Scopes that let somebody run code as the service's user, whatever else is allowed. Only the owner grants them. */
export const RUNS_PROGRAMS: ReadonlySet<string> = new Set<Scope>([
  'files.write',
  'extensions.write',
  'software.write',
])
