import type { PackPlan, PackVersion } from '../../contract/bridge/values.ts'
import { asProblem, type Problem, readOnce } from '../core/bridge.ts'

/** How far something is known. */
export type Known<T> =
  { kind: 'loading' } | { kind: 'shown'; value: T } | { kind: 'failed'; problem: Problem }

/** A version of a pack, a file of the server, one that was sent, or a pack of which a version is still to be chosen. */
export interface PackSource {
  project?: string
  versionId?: string
  path?: string
  importId?: string
}

/** What is installed: a version, or a file. */
export type WantedPack = { versionId: string } | { path: string; importId?: string }

/** A modpack that somebody has chosen: its versions, and what the chosen one would do. */
export class ChosenPack {
  readonly #at: { connectionId: string; serverId: string | null }
  readonly #source: PackSource
  #versions = $state.raw<Known<readonly PackVersion[]>>({ kind: 'loading' })
  #heldSince = $state<string | null>(null)
  #plan = $state.raw<Known<PackPlan>>({ kind: 'loading' })
  #versionId = $state<string | null>(null)
  /** Paths that are not wanted. */
  leaveOut = $state.raw<readonly string[]>([])
  #asked = 0

  /** @param at `serverId` null: for a new server */
  constructor(at: { connectionId: string; serverId: string | null }, source: PackSource) {
    this.#at = at
    this.#source = source
    this.#versionId = source.versionId ?? null
  }

  get versions(): Known<readonly PackVersion[]> {
    return this.#versions
  }
  get plan(): Known<PackPlan> {
    return this.#plan
  }
  /** Whether a server is there already that it changes. */
  get changes(): boolean {
    return this.#at.serverId !== null
  }
  get versionId(): string | null {
    return this.#versionId
  }
  /** Of which time the versions are where the catalog could not be asked. */
  get heldSince(): string | null {
    return this.#heldSince
  }
  /** Whether there is nothing to choose: no version is wanted, and none can be had. */
  get hasNone(): boolean {
    return this.wanted === null && this.#versions.kind === 'shown'
  }
  get wanted(): WantedPack | null {
    const { path, importId } = this.#source
    if (path !== undefined) return { path, ...(importId !== undefined && { importId }) }
    return this.#versionId === null ? null : { versionId: this.#versionId }
  }

  /** Reads what is needed to show it. Never throws. */
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
    this.leaveOut = []
    void this.readPlan()
  }

  /** Only the answer to the last question counts. */
  async readPlan(): Promise<void> {
    const { wanted } = this
    if (!wanted) return
    const asked = ++this.#asked
    this.#plan = { kind: 'loading' }
    let plan: Known<PackPlan>
    try {
      plan = { kind: 'shown', value: await this.#read(wanted) }
    } catch (thrown) {
      plan = { kind: 'failed', problem: asProblem(thrown) }
    }
    if (asked === this.#asked) this.#plan = plan
  }

  async #read(wanted: WantedPack): Promise<PackPlan> {
    const { connectionId, serverId } = this.#at
    if (serverId !== null)
      return readOnce('modpacks.foresee', { connectionId, params: { serverId }, query: wanted })
    return readOnce('modpacks.plan', { connectionId, query: wanted })
  }

  /** Takes an optional file in, or leaves it out. */
  take(path: string, isWanted: boolean): void {
    const others = this.leaveOut.filter((one) => one !== path)
    this.leaveOut = isWanted ? others : [...others, path]
  }
}
