import type { Backup } from '../../../../contract/areas/backups.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { ListState } from '../../../ui/list/list-state.svelte.ts'
import { isBusy } from './backup-words.ts'

/** What is not there yet has no time, and is newest. */
const timeOf = ({ createdAt }: Backup): number => (createdAt ? Date.parse(createdAt) : Infinity)

/** The backups of a server, newest first. */
export class BackupList extends ListState<Backup, never> {
  readonly view: LiveView<'backups.list'>
  readonly settings: LiveView<'backups.settings'>

  constructor({ connectionId, serverId }: ServerState) {
    super()
    const of = { connectionId, params: { serverId } }
    this.view = new LiveView('backups.list', of)
    this.settings = new LiveView('backups.settings', of)
  }

  readonly entries: readonly Backup[] = $derived.by(() =>
    [...(this.view.value?.items ?? [])].sort((a, b) => {
      const [left, right] = [timeOf(a), timeOf(b)]
      return left === right ? 0 : right - left
    }),
  )
  /** Something is being done with one of them. */
  readonly isBusy = $derived(this.entries.some(isBusy))

  protected isShown(): boolean {
    return true
  }

  protected sortValue(): () => number {
    return () => 0
  }
}
