import type { ExtensionCatalogs } from '../catalogs/extension-catalogs.ts'
import type { Target } from '../catalogs/extension-catalog.ts'
import type { PlanCatalogs } from './plan.ts'

export const planCatalogs = (
  catalogs: Pick<ExtensionCatalogs, 'of' | 'lookAhead'>,
  target: Target,
  signal: AbortSignal,
): PlanCatalogs => ({
  versions: async (project) => catalogs.of(project).versions(project, target, signal),
  version: async (id) => catalogs.of(id).version(id, signal),
  lookAhead: (wanted) => catalogs.lookAhead(wanted, signal),
  nameOf: async (project) => (await catalogs.of(project).details(project, target, signal)).name,
})
