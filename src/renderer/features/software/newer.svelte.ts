import { untrack } from 'svelte'
import { BuildChoice } from '../../catalog/software/build-choice.svelte.ts'
import { recommended } from '../../catalog/software/software-versions.ts'
import type { OfferedSoftware } from '../../catalog/software/software-choice.svelte.ts'
import { t } from '../../messages/t.svelte.ts'

export interface InstalledSoftware {
  id: string
  name?: string | null
  version?: string | null
  build?: string | null
}

/** What newer there is for the installed software. */
export class Newer {
  readonly #builds: BuildChoice
  readonly #now: () => InstalledSoftware | null
  readonly #items: () => readonly OfferedSoftware[]

  /** Create in a component. */
  constructor(
    connectionId: string,
    now: () => InstalledSoftware | null,
    items: () => readonly OfferedSoftware[],
  ) {
    this.#builds = new BuildChoice(connectionId)
    this.#now = now
    this.#items = items
    const asked = $derived([now()?.id, now()?.version].join('\n'))
    $effect(() => {
      void asked
      const { id, version } = untrack(now) ?? {}
      if (id && version) untrack(() => void this.#builds.ask({ id, version }, null))
    })
  }

  /** Null while unknown: an old list doesn't tell. */
  readonly words: string | null = $derived.by(() => {
    const now = this.#now()
    const software = this.#items().find(({ id }) => id === now?.id)
    const { state } = this.#builds
    if (!now || !software || software.heldSince || state.kind !== 'shown' || state.heldSince) return null
    const newest = this.#builds.newest
    const difference = this.#builds.differenceFrom(now.build ?? null).kind
    if (difference === 'newer' && newest) return t('software.build-available', { build: newest.id })
    const { versions } = software
    const at = versions.findIndex(({ id }) => id === now.version)
    const best = recommended(versions)
    if (at < 0 || !best) return null
    if (versions.indexOf(best) < at)
      return t('software.available', { software: `${software.name} ${best.id}` })
    return difference !== 'unknown' || state.builds.length === 0 ? t('software.up-to-date') : null
  })
}
