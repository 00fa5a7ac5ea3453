import type { PackPlan, PackVersion } from '../../contract/bridge/values.ts'
import { asProblem, type Problem, readOnce } from '../core/bridge.ts'

export type LoadState<T> =
  { kind: 'loading' } | { kind: 'shown'; value: T } | { kind: 'failed'; problem: Problem }

/** A version, a file on the server, an upload, or a project whose version is still to be chosen. */
export interface PackSource {
  project?: string
  versionId?: string
  path?: string
  importId?: string
}

export type WantedPack = { versionId: string } | { path: string; importId?: string }

export class ChosenPack {
  readonly #at: { connectionId: string; serverId: string | null }
  readonly #source: PackSource
  #versions = $state.raw<LoadState<readonly PackVersion[]>>({ kind: 'loading' })
  #heldSince = $state<string | null>(null)
  #plan = $state.raw<LoadState<PackPlan>>({ kind: 'loading' })
  #versionId = $state<string | null>(null)
  /** Paths: files left out, client-only files taken anyway, and user changes to overwrite. */
  #leaveOut = $state.raw<readonly string[]>([])
  #take = $state.raw<readonly string[]>([])
  #overwrite = $state.raw<readonly string[]>([])
  #asked = 0

  constructor(at: { connectionId: string; serverId: string | null }, source: PackSource) {
    this.#at = at
    this.#source = source
    this.#versionId = source.versionId ?? null
  }

  get versions(): LoadState<readonly PackVersion[]> {
    return this.#versions
  }
  get plan(): LoadState<PackPlan> {
    return this.#plan
  }
  get changes(): boolean {
    return this.#at.serverId !== null
  }
  get versionId(): string | null {
    return this.#versionId
  }
  /** When the versions were cached, if the catalog was unreachable. */
  get heldSince(): string | null {
    return this.#heldSince
  }
  get hasNone(): boolean {
    return this.wanted === null && this.#versions.kind === 'shown'
  }
  get wanted(): WantedPack | null {
    const { path, importId } = this.#source
    if (path !== undefined) return { path, ...(importId !== undefined && { importId }) }
    return this.#versionId === null ? null : { versionId: this.#versionId }
  }

  /** Never throws. */
  async read(): Promise<void> {
    if (this.#source.project === undefined) return this.readPlan()
    this.#versions = { kind: 'loading' }
    try {
      const { connectionId } = this.#at
      const query = { project: this.#source.project }
      const { items, heldSince } = await readOnce('modpacks.versions', { connectionId, query })
      this.#versions = { kind: 'shown', value: items }
      this.#heldSince = heldSince ?? null
      this.#versionId ??= (items.find(({ channel }) => channel === 'release') ?? items[0])?.id ?? null
    } catch (thrown) {
      this.#versions = { kind: 'failed', problem: asProblem(thrown) }
    }
    await this.readPlan()
  }

  choose(versionId: string): void {
    this.#versionId = versionId
    void this.readPlan()
  }

  /** Only the latest request counts. */
  async readPlan(): Promise<void> {
    const { wanted } = this
    if (!wanted) return
    const asked = ++this.#asked
    this.#plan = { kind: 'loading' }
    let plan: LoadState<PackPlan>
    try {
      plan = { kind: 'shown', value: await this.#read(wanted) }
    } catch (thrown) {
      plan = { kind: 'failed', problem: asProblem(thrown) }
    }
    if (asked !== this.#asked) return
    if (plan.kind === 'shown') this.#choose(plan.value)
    this.#plan = plan
  }

  async #read(wanted: WantedPack): Promise<PackPlan> {
    const { connectionId, serverId } = this.#at
    if (serverId !== null)
      return readOnce('modpacks.foresee', { connectionId, params: { serverId }, query: wanted })
    return readOnce('modpacks.plan', { connectionId, query: wanted })
  }

  /** Defaults: as before, without client-only files. */
  #choose({ optional, clientFiles }: PackPlan): void {
    const clients = clientFiles ?? []
    this.#leaveOut = [
      ...(optional ?? []).filter(({ leftOut }) => leftOut),
      ...clients.filter(({ taken }) => !taken),
    ].map(({ path }) => path)
    this.#take = clients.filter(({ taken }) => taken).map(({ path }) => path)
    this.#overwrite = []
  }

  isWanted(path: string): boolean {
    return !this.#leaveOut.includes(path)
  }

  want(path: string, isWanted: boolean): void {
    const isClients = this.#clients.has(path)
    this.#leaveOut = toggled(this.#leaveOut, path, !isWanted)
    if (isClients) this.#take = toggled(this.#take, path, isWanted)
  }

  isKept(path: string): boolean {
    return !this.#overwrite.includes(path)
  }

  keep(path: string, isKept: boolean): void {
    this.#overwrite = toggled(this.#overwrite, path, !isKept)
  }

  get #clients(): ReadonlySet<string> {
    const clients = this.#plan.kind === 'shown' ? this.#plan.value.clientFiles : null
    return new Set(clients?.map(({ path }) => path))
  }

  /** Empty if there was nothing to choose. */
  get choices(): { leaveOut?: string[]; take?: string[]; overwrite?: string[] } {
    if (this.#plan.kind !== 'shown') return {}
    const { optional, clientFiles } = this.#plan.value
    return {
      ...((optional?.length || clientFiles?.length) && { leaveOut: [...this.#leaveOut] }),
      ...(clientFiles?.length && { take: [...this.#take] }),
      ...(this.#overwrite.length > 0 && { overwrite: [...this.#overwrite] }),
    }
  }
}

const toggled = (all: readonly string[], path: string, isIn: boolean): readonly string[] => {
  const others = all.filter((one) => one !== path)
  return isIn ? [...others, path] : others
}
