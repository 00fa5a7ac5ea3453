import { asProblem, readOnce, type Problem, type ViewValue } from '../../core/bridge.ts'

export type SoftwareBuild = ViewValue<'software.builds'>['items'][number]

/** How far the builds of the chosen version are known. */
export type BuildsState =
  | { kind: 'loading' }
  /** The newest first; none where the software has no builds, or the service does not tell them. */
  | { kind: 'shown'; builds: readonly SoftwareBuild[]; heldSince?: string | undefined }
  | { kind: 'failed'; problem: Problem }

/** What lies between the build that is installed and the one that is to be. */
export type BuildDifference =
  /** Builds whose changes come, the newest first. */
  | { kind: 'newer'; builds: readonly SoftwareBuild[] }
  | { kind: 'same' }
  | { kind: 'older' }
  | { kind: 'unknown' }

/** The build that is chosen of a version; asked anew for each version, the last of which counts. */
export class BuildChoice {
  readonly #connectionId: string
  #state = $state.raw<BuildsState>({ kind: 'loading' })
  #asked = 0
  /** What was asked for last, as long as its choice holds. */
  #of: string | null = null
  /** Id of a build; empty: the newest stable one, now and whenever the software is installed again. */
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

  /** The one that is taken where none is chosen. */
  get newest(): SoftwareBuild | null {
    return this.builds.find(({ channel }) => (channel ?? 'release') === 'release') ?? this.builds[0] ?? null
  }

  /** A choice is of one version: of another one nothing is chosen, and what is being asked for no longer counts. */
  keepOf({ id, version }: { id: string; version: string }): void {
    if (this.#of !== null && !this.#of.startsWith(`${id}\n${version}\n`)) this.#clear()
  }

  #clear(): void {
    this.#asked++
    this.#of = null
    this.#state = { kind: 'loading' }
    this.chosen = ''
  }

  /**
   * Asks for the builds of a version. `pinned`: the build that stays chosen if it is one of them. Where the same version is
   * asked for again, as after a lost connection, what somebody chose meanwhile stays.
   */
  async ask(software: { id: string; version: string }, pinned: string | null): Promise<void> {
    const { id, version } = software
    const of = `${id}\n${version}\n${pinned ?? ''}`
    const kept = this.#of === of ? this.chosen : pinned
    this.#clear()
    this.#of = of
    // At once, so that nobody sends another while the builds are read.
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

  /** What lies between a build that is installed and the one that is taken. */
  differenceFrom(installed: string | null): BuildDifference {
    const target = this.chosen || this.newest?.id
    const [from, to] = [installed, target].map((id) => this.builds.findIndex((build) => build.id === id))
    if (from === undefined || to === undefined || from < 0 || to < 0) return { kind: 'unknown' }
    if (from === to) return { kind: 'same' }
    return from < to ? { kind: 'older' } : { kind: 'newer', builds: this.builds.slice(to, from) }
  }
}
