import type { Extension } from '../../../../contract/bridge/values.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { Selection } from '../../../ui/list/selection.svelte.ts'

export type SortKey = 'name' | 'version' | 'state'

export interface Entry {
  id: string
  extension: Extension
  update: NonNullable<Extension['update']> | null
}

export class ExtensionList {
  readonly server: ServerState
  readonly view: LiveView<'extensions.list'>
  /** Loaded after the list, because catalogs are slower. */
  readonly updates: LiveView<'extensions.updates'>
  filter = $state('')
  order = $state.raw<{ key: SortKey; descending: boolean }>({ key: 'name', descending: false })
  readonly selection = new Selection(() => this.ids)

  constructor(server: ServerState, view: LiveView<'extensions.list'>) {
    this.server = server
    this.view = view
    const asked = { connectionId: server.connectionId, params: { serverId: server.serverId } }
    this.updates = new LiveView('extensions.updates', asked)
  }

  readonly #told = $derived.by(() => {
    if (this.view.value === null || this.view.value.items.length === 0) return null
    const { value } = this.updates
    return value?.items
      ? {
          isAll: (value.unreached?.length ?? 0) === 0,
          byId: new Map(value.items.map((one) => [one.id, one.update])),
        }
      : null
  })

  readonly entries = $derived.by((): Entry[] => {
    const told = this.#told
    const seen = new Set<string>()
    const entries: Entry[] = []
    for (const extension of this.view.value?.items ?? []) {
      const { id } = extension
      if (seen.has(id)) continue
      seen.add(id)
      // If a catalog did not answer, its earlier result stays valid.
      const known = told?.isAll ? null : (extension.update ?? null)
      entries.push({ id, extension, update: told?.byId.get(id) ?? known })
    }
    const { compare } = new Intl.Collator(locale(), { numeric: true })
    return entries.sort(({ extension: { name: a } }, { extension: { name: b } }) => compare(a, b))
  })

  readonly outdated = $derived(
    this.entries.filter(
      ({ update, extension: { pinned, enabled } }) => update && !pinned && enabled !== false,
    ),
  )

  readonly waiting = $derived(this.entries.filter(({ extension }) => extension.waits === true).length)

  readonly rows = $derived.by((): Entry[] => {
    const wanted = this.filter.trim().toLocaleLowerCase()
    const holds = (text: string | null | undefined) => text?.toLocaleLowerCase().includes(wanted) ?? false
    const shown = this.entries.filter(
      ({ extension: { name, file, authors, description } }) =>
        wanted === '' ||
        holds(name) ||
        holds(file) ||
        holds(description) ||
        (authors?.some((author) => holds(author)) ?? false),
    )
    return inOrder(shown, this.order)
  })

  readonly ids = $derived(this.rows.map(({ id }) => id))

  readonly selected = $derived.by((): Entry[] => {
    const ids = new Set(this.selection.names)
    return ids.size === 0 ? [] : this.rows.filter(({ id }) => ids.has(id))
  })

  sortBy(key: SortKey): void {
    this.order = { key, descending: this.order.key === key ? !this.order.descending : false }
  }

  entryOf(id: string): Entry | null {
    return this.entries.find((entry) => entry.id === id) ?? null
  }

  hasProject(project: string): boolean {
    return this.entries.some(({ extension }) => extension.project?.id === project)
  }
}

function rankOf({ extension, update }: Entry): number {
  if (extension.problems && extension.problems.length > 0) return 0
  if (extension.waits) return 1
  if (update) return 2
  return extension.enabled === false ? 4 : 3
}

/** Stable sort: ties keep the order of names. */
function inOrder(entries: Entry[], { key, descending }: { key: SortKey; descending: boolean }): Entry[] {
  if (key === 'name') return descending ? entries.reverse() : entries
  const turn = descending ? -1 : 1
  const { compare } = new Intl.Collator('en', { numeric: true })
  if (key === 'state') return entries.sort((a, b) => turn * (rankOf(a) - rankOf(b)))
  return entries.sort((a, b) => turn * compare(a.extension.version ?? '', b.extension.version ?? ''))
}
