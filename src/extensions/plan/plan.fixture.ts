import { Refusal } from '../../host/refusal.ts'
import { type CatalogVersion, type Dependency, notThere } from '../catalogs/extension-catalog.ts'
import { planChanges } from './plan-changes.ts'
import type { CatalogState, InstalledExtension, PlanCatalogs } from './plan.ts'

type DependencyKinds = Record<string, Dependency['kind']>

const DAY = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()

/** A version `shop 2` of project `modrinth:shop`, of the second of January; `needs` by project. */
export function version(
  text: string,
  needs: DependencyKinds = {},
  more: Partial<CatalogVersion> = {},
): CatalogVersion {
  const [name = '', number = ''] = text.split(' ')
  return {
    project: `modrinth:${name}`,
    id: `modrinth:${name}-${number}`,
    projectName: name[0]!.toUpperCase() + name.slice(1),
    name: number,
    channel: 'release',
    releasedAt: DAY(Number(number)),
    changes: null,
    file: { url: 'https://cdn.example/a.jar', name: 'a.jar', size: 10, checksum: null },
    url: `https://page.example/${name}`,
    dependencies: Object.entries(needs).map(([key, kind]) => {
      const [other = '', exact] = key.split(' ')
      return {
        kind,
        project: other === '' ? null : `modrinth:${other}`,
        versionId: exact ? `modrinth:${other}-${exact}` : null,
        name: other === '' ? 'Elsewhere' : null,
      }
    }),
    ...more,
  }
}

/** Catalogs that have these, of which those in `old` do not fit. */
export function catalogs(
  all: CatalogVersion[],
  old: CatalogVersion[] = [],
): PlanCatalogs & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    versions: async (project) => {
      asked.push(project)
      if (project === 'modrinth:busy') throw new Refusal(503, 'software.catalogue-busy', 'Busy.')
      if (![...all, ...old].some((one) => one.project === project)) throw notThere('modrinth')
      return all.filter((one) => one.project === project).reverse()
    },
    version: async (id) => {
      const found = [...all, ...old].find((one) => one.id === id)
      if (!found) throw notThere('modrinth')
      return found
    },
    lookAhead: async () => undefined,
    nameOf: async (project) => `Named ${project.split(':')[1]}`,
  }
}

export const there = (text: string, more: Partial<InstalledExtension> = {}): InstalledExtension => {
  const { project, id, projectName, name } = version(text)
  return {
    ...{ id: `x-${projectName}`, name: projectName, provides: [], version: name, project, versionId: id },
    ...{ pinned: false, enabled: true, ...more },
  }
}

export const install = async (
  names: string[],
  from: PlanCatalogs,
  installed: InstalledExtension[] = [],
  versionId?: string,
) => {
  const items = names.map((name) => ({ project: `modrinth:${name}`, versionId }))
  return planChanges({ kind: 'install', items }, installed, from)
}
export const updateAll = (
  installed: InstalledExtension[],
  newest: CatalogVersion[],
  from = catalogs([]),
  { except = new Set<string>(), versions = [] as string[] } = {},
) => {
  const states = installed.flatMap((one): [string, CatalogState][] => {
    if (one.versionId === null) return []
    const current = version(`${one.name.toLowerCase()} ${one.version}`)
    return [[one.id, { current, newest: newest.find(({ project }) => project === one.project) ?? null }]]
  })
  return planChanges({ kind: 'update all', states: new Map(states), except, versions }, installed, from)
}
/** Each step as a line. */
export const told = ({ steps }: Awaited<ReturnType<typeof planChanges>>) =>
  steps.map(({ change: { action, name, from, to, reason, neededBy, problems } }) =>
    [
      ...[action as string, name, from && `from ${from}`, to && `to ${to}`, reason as string | null],
      neededBy && `for ${neededBy.join('+')}`,
      ...(problems ?? []).map(
        ({ kind, name: other, wants }) => `! ${kind as string} ${other}${wants ? ` ${wants}` : ''}`,
      ),
    ]
      .filter(Boolean)
      .join(' '),
  )
