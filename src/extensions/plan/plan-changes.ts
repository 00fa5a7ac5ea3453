import { Refusal } from '../../host/refusal.ts'
import { type CatalogVersion, type Dependency, catalogOf } from '../catalogs/extension-catalog.ts'
import { newestOf } from '../catalogs/newest.ts'
import { type ExactRequirement, holdBack, judge } from './hold-back.ts'
import { InstalledNames, plainName } from './installed-names.ts'
import type {
  CatalogState,
  InstalledExtension,
  Plan,
  PlanCatalogs,
  BulkUpdate,
  WantedItem,
  PlanGoal,
} from './plan.ts'
import { broughtTo, isFetched, kept, missing, type PlannedNode, stepOf } from './planned-node.ts'

/** Limits for levels of dependencies, and for added ones. */
const DEPTH_MOST = 10
const ADDED_MOST = 200
const AT_ONCE = 16

interface Requirement {
  dependency: Dependency
  by: PlannedNode
}

/** Reports unavailable dependencies. Rejects with Refusal only if a wanted extension can't be looked up. */
export async function planChanges(
  wish: PlanGoal,
  installed: readonly InstalledExtension[],
  catalogs: PlanCatalogs,
): Promise<Plan> {
  const planner = new Planner(installed, catalogs)
  if (wish.kind === 'install') await planner.want(wish.items, wish.states)
  else await planner.updateAll(wish)
  await planner.addNeeded()
  return planner.plan(wish.kind === 'update all')
}

function updated(
  installed: InstalledExtension,
  { current, newest }: CatalogState,
  isChosen: boolean,
): PlannedNode {
  if (installed.pinned) return kept(installed, 'pinned', current, true)
  if (!current) return kept(installed, 'unknown', null, true)
  if (!newest || newest.id === current.id) return kept(installed, 'up-to-date', current, true)
  if (!installed.enabled) return kept(installed, 'disabled', current, true)
  if (!isChosen) return { ...kept(installed, 'not-chosen', current, true), offered: newest }
  return { ...broughtTo(newest, installed, true), current }
}

class Planner {
  readonly #all: readonly InstalledExtension[]
  readonly #installed: InstalledNames
  readonly #catalogs: PlanCatalogs
  readonly #nodes: PlannedNode[] = []
  readonly #byProject = new Map<string, PlannedNode>()
  readonly #byInstalled = new Map<string, PlannedNode>()
  readonly #byName = new Map<string, PlannedNode>()
  #added = 0
  readonly #unreached = new Set<string>()
  readonly #exactNeeds: ExactRequirement[] = []

  constructor(installed: readonly InstalledExtension[], catalogs: PlanCatalogs) {
    this.#all = installed
    this.#installed = new InstalledNames(installed)
    this.#catalogs = catalogs
  }

  add(node: PlannedNode): PlannedNode {
    this.#nodes.push(node)
    if (node.project !== null && !this.#byProject.has(node.project)) this.#byProject.set(node.project, node)
    if (node.installed) this.#byInstalled.set(node.installed.id, node)
    const name = plainName(node.name)
    if (name !== '' && !this.#byName.has(name)) this.#byName.set(name, node)
    return node
  }

  /** Adds everything installed, updated if possible, else with the reason. */
  async updateAll({ states, except, versions }: BulkUpdate): Promise<void> {
    const chosen = new Set(versions)
    const byId = new Map<string, CatalogVersion>()
    if (chosen.size > 0) {
      await this.#lookAhead([], [...chosen])
      const named = await inTurns([...chosen], (id) => this.#orNull(this.#catalogs.version(id)))
      const projects = new Set(named.flatMap((one) => one?.project ?? []))
      const fitting = this.#all.flatMap(({ project }) =>
        project !== null && projects.has(project) ? project : [],
      )
      for (const all of await inTurns(fitting, (project) => this.#catalogs.versions(project)))
        for (const one of all) if (chosen.has(one.id)) byId.set(one.project, one)
    }
    for (const one of this.#all) {
      const { current = null, newest = null } = states.get(one.id) ?? {}
      const version = (one.project === null ? undefined : byId.get(one.project)) ?? newest
      this.add(updated(one, { current, newest: version }, !except.has(one.id)))
    }
  }

  async want(
    items: readonly WantedItem[],
    states: ReadonlyMap<string, CatalogState> = new Map(),
  ): Promise<void> {
    const once = [...new Map(items.map((item) => [item.project, item])).values()]
    // Updates just found need no look-up: they are known to fit.
    const told = new Map([...states.values()].flatMap(({ newest }) => (newest ? [[newest.id, newest]] : [])))
    const toldOf = ({ project, versionId = '' }: WantedItem) => {
      const version = told.get(versionId)
      return version?.project === project ? version : null
    }
    await this.#lookAhead(once.flatMap((item) => (toldOf(item) ? [] : item.project)))
    const found = await inTurns(once, async (item) => {
      const version = toldOf(item)
      return { item, versions: version ? [version] : await this.#catalogs.versions(item.project) }
    })
    for (const { item, versions } of found) this.add(await this.#wanted(item, versions))
  }

  async #wanted(
    { project, versionId }: { project: string; versionId?: string | undefined },
    versions: readonly CatalogVersion[],
  ): Promise<PlannedNode> {
    const version =
      versionId === undefined ? newestOf(versions) : (versions.find(({ id }) => id === versionId) ?? null)
    const name = versions[0]?.projectName ?? (await this.#catalogs.nameOf(project))
    const installed = this.#installed.ofProject(project) ?? this.#installed.named(name)
    if (!version) return { ...missing(name, project, 'none-fits', true), installed }
    if (installed?.versionId === version.id) return kept(installed, 'up-to-date', version, true)
    const other = installed ? this.#byInstalled.get(installed.id) : this.#byName.get(plainName(name))
    if (!other) return broughtTo(version, installed, true)
    // Two with the same name can't run together.
    const twice = missing(name, project, null, true)
    twice.problems.push({ kind: 'duplicate', name: other.name })
    return twice
  }

  async addNeeded(): Promise<void> {
    let level = this.#nodes.slice()
    for (let depth = 0; level.length > 0 && depth <= DEPTH_MOST; depth++) {
      const needs = level
        .filter(isFetched)
        .flatMap((by) =>
          by
            .version!.dependencies.filter(({ kind }) => kind === 'required')
            .map((dependency): Requirement => ({ dependency, by })),
        )
      const before = this.#nodes.length
      if (depth < DEPTH_MOST)
        await this.#lookAhead(
          needs.flatMap(({ dependency: { project } }) => (this.#isOpen(project) ? project : [])),
          needs.flatMap(({ dependency: { project, versionId } }) =>
            versionId !== null && this.#installed.ofProject(project)?.versionId !== versionId
              ? versionId
              : [],
          ),
        )
      const found =
        depth < DEPTH_MOST
          ? await inTurns(needs, (need) => this.#lookUp(need))
          : needs.map(({ dependency }) => unknown(dependency))
      for (const [at, need] of needs.entries()) this.#connect(need, found[at]!)
      level = this.#nodes.slice(before)
    }
  }

  /** @param isCareful don't apply updates that would break something */
  plan(isCareful: boolean): Plan {
    if (!isCareful) judge(this.#nodes, this.#exactNeeds, this.#installed)
    const nodes = isCareful ? holdBack(this.#nodes, this.#exactNeeds, this.#installed) : this.#nodes
    const steps = neededFirst(nodes).map(stepOf)
    const total = steps.reduce((sum, { version }) => sum + (version?.file?.size ?? 0), 0)
    return { steps, total, unreached: [...this.#unreached].sort() }
  }

  #lookAhead(projects: readonly string[], versions: readonly string[] = []): Promise<void> {
    return this.#catalogs.lookAhead({
      projects: projects.filter((one) => catalogOf(one)),
      versions: versions.filter((one) => catalogOf(one)),
    })
  }

  #isOpen(project: string | null): project is string {
    return project !== null && !this.#byProject.has(project) && !this.#installed.ofProject(project)
  }

  /** Looks up a dependency that isn't planned or installed. */
  async #lookUp({ dependency }: Requirement): Promise<LookupResult> {
    try {
      const exact = dependency.versionId === null ? null : await this.#exact(dependency)
      const project = dependency.project ?? exact?.project ?? null
      if (!this.#isOpen(project)) return { project, exact, versions: [], name: dependency.name }
      const versions = await this.#catalogs.versions(project)
      const name = versions[0]?.projectName ?? exact?.projectName ?? (await this.#catalogs.nameOf(project))
      return { project, exact, versions, name }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const catalog = catalogOf(dependency.project ?? dependency.versionId ?? '')
      if (error.status !== 404 && catalog) this.#unreached.add(catalog)
      return unknown(dependency)
    }
  }

  async #orNull<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    }
  }

  /** The required version; null if it is installed, or only that version is gone. */
  async #exact({ project, versionId }: Dependency): Promise<CatalogVersion | null> {
    if (this.#installed.ofProject(project)?.versionId === versionId) return null
    try {
      return await this.#catalogs.version(versionId!)
    } catch (error) {
      if (error instanceof Refusal && error.status === 404 && project !== null) return null
      throw error
    }
  }

  #connect({ by }: Requirement, found: LookupResult): void {
    const needed = this.#known(found) ?? this.add(this.#needed(found))
    if (needed === by) return
    by.needs.add(needed)
    needed.neededBy.add(by)
    if (found.exact) this.#exactNeeds.push({ by, needed, version: found.exact })
  }

  #known({ project, name }: LookupResult): PlannedNode | null {
    const planned = project === null ? undefined : this.#byProject.get(project)
    if (planned) return planned
    const installed = this.#installed.ofProject(project) ?? this.#installed.named(name)
    if (installed) return this.#byInstalled.get(installed.id) ?? null
    return (name === null ? undefined : this.#byName.get(plainName(name))) ?? null
  }

  #needed({ project, exact, versions, name }: LookupResult): PlannedNode {
    const installed = this.#installed.ofProject(project) ?? this.#installed.named(name)
    if (installed) return kept(installed, installed.enabled ? null : 'disabled', null, false)
    const known = name ?? project ?? 'unknown'
    if (versions === null || project === null) return missing(known, project, 'unknown', false)
    const version = (exact && versions.find(({ id }) => id === exact.id)) ?? newestOf(versions)
    if (!version) return missing(known, project, 'none-fits', false)
    if (++this.#added > ADDED_MOST) return missing(known, project, 'unknown', false)
    return broughtTo(version, null, false)
  }
}

/** `versions` null: the look-up failed. */
interface LookupResult {
  project: string | null
  exact: CatalogVersion | null
  versions: CatalogVersion[] | null
  name: string | null
}

const unknown = ({ project, name }: Dependency): LookupResult => ({
  project,
  exact: null,
  versions: null,
  name,
})

/** Dependencies first, else in the given order. A cycle ends with the node given first. */
function neededFirst(nodes: readonly PlannedNode[]): PlannedNode[] {
  const sorted = new Set<PlannedNode>()
  const entered = new Set<PlannedNode>()
  const enter = (node: PlannedNode) => {
    if (entered.has(node)) return
    entered.add(node)
    for (const needed of node.needs) enter(needed)
    sorted.add(node)
  }
  for (const node of nodes) enter(node)
  return [...sorted]
}

async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(act))))
  return answers
}
