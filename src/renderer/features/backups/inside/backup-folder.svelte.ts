import type { FileEntry, ServerRef } from '../../../../contract/bridge/values.ts'
import { formatter } from '../../../../contract/messages/formatter.ts'
import { joined } from '../../../../contract/rules/paths.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { ListState } from '../../../ui/list/list-state.svelte.ts'

export interface BackupEntry extends FileEntry {
  /** Its path in the backup. */
  id: string
}

export const isFolder = ({ kind }: FileEntry): boolean => kind === 'folder'

/** One folder of a backup; folders first. */
export class BackupFolder extends ListState<BackupEntry, 'size' | 'modified'> {
  readonly path: string
  readonly view: LiveView<'backups.files'>

  constructor({ connectionId, serverId }: ServerRef, backup: string, path: string) {
    super()
    this.path = path
    this.view = new LiveView('backups.files', {
      ...{ connectionId, params: { serverId } },
      query: { backup, path },
    })
  }

  readonly entries: readonly BackupEntry[] = $derived.by(() =>
    (this.view.value?.items ?? [])
      .map((entry) => ({ ...entry, id: joined(this.path, entry.name) }))
      .sort((a, b) => Number(isFolder(b)) - Number(isFolder(a)) || this.#byName(a.name, b.name)),
  )

  #byName(a: string, b: string): number {
    return compareByNumber(a, b) || formatter(Intl.Collator, locale(), { numeric: true }).compare(a, b)
  }

  protected isShown({ name }: BackupEntry, wanted: string): boolean {
    return name.toLowerCase().includes(wanted)
  }

  protected sortValue(key: 'size' | 'modified'): (entry: BackupEntry) => number {
    return key === 'size'
      ? ({ size }) => size ?? -1
      : ({ modifiedAt }) => (modifiedAt ? Date.parse(modifiedAt) : -1)
  }
}
