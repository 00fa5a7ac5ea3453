import type { Extension } from '../../../../contract/bridge/values.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { ListState } from '../../../ui/list/list-state.svelte.ts'

type SortKey = 'version' | 'state'

export interface Entry {
  id: string
  extension: Extension
  update: NonNullable<Extension['update']> | null
}

export class ExtensionList extends ListState<Entry, SortKey> {
  readonly server: ServerState
  readonly view: LiveView<'extensions.list'>
  /** Loaded after the list, because catalogs are slower. */
  readonly updates: LiveView<'extensions.updates'>

  constructor(server: ServerState, view: LiveView<'extensions.list'>) {
    super()
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

  protected isShown({ extension }: Entry, wanted: string): boolean {
    const { name, file, authors, description } = extension
    return [name, file, description, ...(authors ?? [])].some(
      (text) => wanted === '' || text?.toLowerCase().includes(wanted),
    )
  }

  protected sortValue(key: SortKey): (entry: Entry) => number | string {
    return key === 'state' ? rankOf : ({ extension }) => extension.version ?? ''
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
