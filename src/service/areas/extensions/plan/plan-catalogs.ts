import type { ExtensionCatalog, Target } from '../catalogs/extension-catalog.ts'
import type { PlanCatalogs } from './plan.ts'

/** Looks things up for a plan in the catalogs that have them. */
export const planCatalogs = (
  catalogs: { of(name: string): ExtensionCatalog },
  target: Target,
  signal: AbortSignal,
): PlanCatalogs => ({
  versions: async (project) => catalogs.of(project).versions(project, target, signal),
  version: async (id) => catalogs.of(id).version(id, signal),
  nameOf: async (project) => (await catalogs.of(project).details(project, target, signal)).name,
})
