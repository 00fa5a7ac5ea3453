import type { Backup } from '../../../../contract/areas/backups.ts'
import { call, send } from '../../../core/bridge.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { announce, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { restoringCanceled } from './restored.svelte.ts'
import { type BackupRights, rightsOf } from './rights.ts'

/** What is asked before something is done. */
export type BackupDialog =
  | { kind: 'name'; backup: Backup | null }
  | { kind: 'check'; backup: Backup }
  | { kind: 'remove'; backups: readonly Backup[] }
  | { kind: 'details'; backup: Backup }
  | { kind: 'keep' }
  | { kind: 'restore'; backup: Backup | null; paths?: readonly string[]; player?: string }

/** What can be done with the backups of a server. Failures become notices. */
export class BackupActs {
  readonly server: ServerState
  dialog = $state.raw<BackupDialog | null>(null)
  #creating = $state(false)

  constructor(server: ServerState) {
    this.server = server
  }

  get rights(): BackupRights {
    return rightsOf(this.server)
  }

  get creating(): boolean {
    return this.#creating
  }

  get at() {
    const { connectionId, serverId } = this.server
    return { connectionId, params: { serverId } }
  }

  async create(): Promise<void> {
    if (this.#creating) return
    this.#creating = true
    await this.#during(() => send('backups.create', { ...this.at, body: {} }))
    this.#creating = false
  }

  cancel(): Promise<void> {
    restoringCanceled(this.server)
    return this.#during(() => send('backups.cancel', this.at))
  }

  lock(backups: readonly Backup[], locked: boolean): Promise<void> {
    return this.#during(async () => {
      for (const { id } of backups) await send('backups.change', { ...this.#of(id), body: { locked } })
    })
  }

  save({ id: backup }: Backup): Promise<void> {
    const { connectionId, serverId } = this.server
    return this.#during(async () => {
      await call('backups.save', { connectionId, serverId, backup })
      announce(() => t('files.downloading', { count: 1 }))
    })
  }

  /** Throws a `Problem`. */
  async rename({ id }: Backup, name: string | null): Promise<void> {
    await send('backups.change', { ...this.#of(id), body: { name } })
  }

  remove(backups: readonly Backup[]): Promise<void> {
    return this.#during(async () => {
      for (const { id } of backups) await send('backups.remove', this.#of(id))
    })
  }

  #of(backupId: string) {
    const { connectionId, serverId } = this.server
    return { connectionId, params: { serverId, backupId } }
  }

  async #during(act: () => Promise<unknown>): Promise<void> {
    const name: Words = () => this.server.server?.name ?? ''
    await act().catch((thrown: unknown) => notifyProblem(thrown, name))
  }
}
