import { asProblem, readOnce, type Problem, type ViewValue } from '../../core/bridge.ts'

export type SoftwareBuild = ViewValue<'software.builds'>['items'][number]

export type BuildsState =
  | { kind: 'loading' }
  /** Newest first; empty if there are none or the service does not list them. */
  | { kind: 'shown'; builds: readonly SoftwareBuild[]; heldSince?: string | undefined }
  | { kind: 'failed'; problem: Problem }

export type BuildDifference =
  | { kind: 'newer'; builds: readonly SoftwareBuild[] }
  | { kind: 'same' }
  | { kind: 'older' }
  | { kind: 'unknown' }

/** The build of a version; only the latest request counts. */
export class BuildChoice {
  readonly #connectionId: string
  #state = $state.raw<BuildsState>({ kind: 'loading' })
  #asked = 0
  /** Key of the latest request, while its choice is valid. */
  #of: string | null = null
  /** A build id; empty: the latest stable one, also on reinstall. */
  chosen = $state('')

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  get state(): BuildsState {
    return this.#state
  }

  get builds(): readonly SoftwareBuild[] {
    return this.#state.kind === 'shown' ? this.#state.builds : []
  }

  get newest(): SoftwareBuild | null {
    return this.builds.find(({ channel }) => (channel ?? 'release') === 'release') ?? this.builds[0] ?? null
  }

  keepOf({ id, version }: { id: string; version: string }): void {
    if (this.#of !== null && !this.#of.startsWith(`${id}\n${version}\n`)) this.#clear()
  }

  #clear(): void {
    this.#asked++
    this.#of = null
    this.#state = { kind: 'loading' }
    this.chosen = ''
  }

  /** `pinned` is selected if listed; reloading the same version keeps the user's choice. */
  async ask(software: { id: string; version: string }, pinned: string | null): Promise<void> {
    const { id, version } = software
    const of = `${id}\n${version}\n${pinned ?? ''}`
    const kept = this.#of === of ? this.chosen : pinned
    this.#clear()
    this.#of = of
    // Set now, so that no other build is sent while loading.
    this.chosen = kept ?? ''
    const asked = this.#asked
    let state: BuildsState
    try {
      const { items, heldSince } = await readOnce('software.builds', {
        ...{ connectionId: this.#connectionId, params: { softwareId: id }, query: { version } },
      })
      state = { kind: 'shown', builds: items, heldSince }
    } catch (thrown) {
      const problem = asProblem(thrown)
      state = problem.code === 'unavailable' ? { kind: 'shown', builds: [] } : { kind: 'failed', problem }
    }
    if (asked !== this.#asked) return
    this.#state = state
    if (state.kind === 'shown' && !state.builds.some(({ id }) => id === this.chosen)) this.chosen = ''
  }

  differenceFrom(installed: string | null): BuildDifference {
    const target = this.chosen || this.newest?.id
    const [from, to] = [installed, target].map((id) => this.builds.findIndex((build) => build.id === id))
    if (from === undefined || to === undefined || from < 0 || to < 0) return { kind: 'unknown' }
    if (from === to) return { kind: 'same' }
    return from < to ? { kind: 'older' } : { kind: 'newer', builds: this.builds.slice(to, from) }
  }
}
