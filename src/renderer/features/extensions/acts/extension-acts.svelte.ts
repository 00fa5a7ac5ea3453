import type { ExtensionChanges, PlannedChange, ServerRef } from '../../../../contract/bridge/values.ts'
import { call, readOnce, send } from '../../../core/bridge.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { requestPower } from '../../../core/servers/power-requests.ts'
import { missingScope, powerReason } from '../../../core/servers/power.ts'
import { go } from '../../../core/routes/router.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { folderOf, nounOf } from '../text/noun.ts'
import type { Entry, ExtensionList } from '../list/extension-list.svelte.ts'
import { addJars } from './add-jars.ts'

export interface PlanRequest {
  what: 'install' | 'update' | 'all'
  name: string
  project?: string
  versionId?: string
}

type Change = 'enable' | 'disable' | 'pin' | 'unpin'
const bodies = {
  enable: { enabled: true },
  disable: { enabled: false },
  pin: { pinned: true },
  unpin: { pinned: false },
} as const satisfies Record<Change, object>

/** Actions on a server's extensions. They don't throw unless stated. */
export class ExtensionActs {
  readonly server: ServerState
  readonly #list: ExtensionList
  readonly changes: LiveView<'extensions.changes'>
  #busy = $state<'change' | 'undo' | 'cancel' | 'restart' | null>(null)
  #adding = $state<string | null>(null)
  removing = $state.raw<readonly Entry[] | null>(null)
  planning = $state.raw<PlanRequest | null>(null)

  constructor(server: ServerState, list: ExtensionList) {
    this.server = server
    this.#list = list
    this.changes = new LiveView('extensions.changes', this.#at)
  }

  get #at() {
    return { connectionId: this.ref.connectionId, params: { serverId: this.ref.serverId } }
  }

  get ref(): ServerRef {
    return { connectionId: this.server.connectionId, serverId: this.server.serverId }
  }

  get busy() {
    return this.#busy
  }

  /** What is being looked up to be installed. */
  get adding(): string | null {
    return this.#adding
  }

  get running(): ExtensionChanges['running'] {
    return this.changes.value?.running
  }

  get reason(): string | null {
    if (this.server.reach !== 'ready') return t('power.no-service')
    const scope = missingScope(this.server.server?.role, ['extensions.write'])
    if (scope) return t('power.no-scope', { scope })
    if (this.running) return t('extensions.installing-now')
    return this.#busy ? t('extensions.busy') : null
  }

  get uploadReason(): string | null {
    if (this.server.reach !== 'ready') return t('power.no-service')
    const scope = missingScope(this.server.server?.role, ['extensions.write'])
    if (scope) return t('power.no-scope', { scope })
    return folderOf(nounOf(this.server.server)) === null ? t('extensions.no-folder') : null
  }

  get restartReason(): string | null {
    return powerReason('restart', this.server.kind, this.server.server?.role, this.server.reach)
  }

  async change(entries: readonly Entry[], change: Change): Promise<boolean> {
    const done = await this.#each(
      entries,
      (name) => t('extensions.did-not', { name }),
      (extensionId) => send('extensions.change', { ...this.#with(extensionId), body: bodies[change] }),
    )
    if (done.length === 0) return false
    const later = this.server.isRunning && (change === 'enable' || change === 'disable')
    this.#tell(() => t(`extensions.did-${change}`, { count: done.length, name: done[0] ?? '' }), later)
    return true
  }

  async pin(id: string): Promise<boolean> {
    const entry = this.#list.entryOf(id)
    if (!entry) return false
    const done = await this.change([entry], 'pin')
    await this.#list.view.again()
    return done
  }

  async remove(entries: readonly Entry[]): Promise<void> {
    const done = await this.#each(
      entries,
      (name) => t('extensions.did-not-remove', { name }),
      (extensionId) => send('extensions.remove', this.#with(extensionId)),
    )
    if (done.length === 0) return
    this.#tell(
      () => t('extensions.did-remove', { count: done.length, name: done[0] ?? '' }),
      this.server.isRunning,
    )
  }

  /** Installs what was found; where more than that would happen, a plan is shown first. */
  async add({ id: project, name }: { id: string; name: string }): Promise<void> {
    if (this.#adding !== null) return
    this.#adding = project
    try {
      const { changes } = await readOnce('extensions.plan', { ...this.#at, query: { project } })
      const [only, ...more] = changes
      const isPlain = only?.action === 'add' && only.project && !only.reason && !only.problems?.length
      if (isPlain && more.length === 0) await this.install(changes)
      else this.planning = { what: 'install', name, project }
    } catch (thrown) {
      notifyProblem(thrown, () => t('extensions.did-not-install', { name }))
    } finally {
      this.#adding = null
    }
  }

  /** Throws a `Problem`. */
  async install(planned: readonly PlannedChange[]): Promise<void> {
    const items = planned.flatMap(({ action, project, versionId }) =>
      (action === 'add' || action === 'update') && project
        ? [{ project, ...(versionId ? { versionId } : {}) }]
        : [],
    )
    await send('extensions.install', { ...this.#at, body: { items } })
    void this.changes.again()
  }

  async cancel(): Promise<void> {
    await this.#one('cancel', 'extensions.did-not-cancel', () => send('extensions.cancel', this.#at))
    await this.changes.again()
  }

  async undo(): Promise<void> {
    const done = await this.#one('undo', 'extensions.did-not-undo', () => send('extensions.undo', this.#at))
    if (done) this.#tell(() => t('extensions.did-undo'), this.server.isRunning)
    await this.readAgain()
  }

  async restart(): Promise<void> {
    await this.#one('restart', null, () => requestPower(this.server, 'restart'))
  }

  async readAgain(): Promise<void> {
    await Promise.all([this.#list.view.again(), this.#list.updates.again(), this.changes.again()])
  }

  async addFiles(files: readonly File[]): Promise<void> {
    const folder = folderOf(nounOf(this.server.server))
    const jars = files.filter(({ name }) => /\.jar$/i.test(name))
    if (folder === null || jars.length < files.length) {
      notify({ tone: 'warning', text: () => t('extensions.only-jars') })
      return
    }
    try {
      await addJars({
        ...{ ref: this.ref, name: this.server.server?.name ?? '', folder, files: jars },
        waits: () => this.server.isRunning,
        changed: () => void this.readAgain(),
      })
    } catch (thrown) {
      notifyProblem(thrown, () => t('extensions.did-not-upload'))
    }
  }

  async openPage(url: string): Promise<void> {
    try {
      await call('app.open', { url })
    } catch (thrown) {
      notifyProblem(thrown, () => t('extensions.did-not-open'))
    }
  }

  openFolder(path: string): void {
    go({ view: 'server', ...this.ref, tab: 'files', ...(path === '' ? {} : { path }) })
  }

  #with(extensionId: string) {
    const { connectionId, params } = this.#at
    return { connectionId, params: { ...params, extensionId } }
  }

  #tell(text: () => string, later: boolean): void {
    notify({ tone: 'done', text, ...(later && { more: () => t('extensions.at-next-start') }) })
  }

  /** One after another. Returns the names that succeeded and reports failures immediately. */
  async #each(
    entries: readonly Entry[],
    failed: (name: string) => string,
    act: (id: string) => Promise<unknown>,
  ): Promise<string[]> {
    if (this.#busy) return []
    this.#busy = 'change'
    const done: string[] = []
    try {
      for (const { id, extension } of entries)
        try {
          await act(id)
          done.push(extension.name)
        } catch (thrown) {
          notifyProblem(thrown, () => failed(extension.name))
        }
    } finally {
      this.#busy = null
    }
    return done
  }

  async #one(
    busy: 'undo' | 'cancel' | 'restart',
    failed: 'extensions.did-not-undo' | 'extensions.did-not-cancel' | null,
    act: () => Promise<unknown>,
  ): Promise<boolean> {
    if (this.#busy) return false
    this.#busy = busy
    try {
      await act()
      return true
    } catch (thrown) {
      notifyProblem(thrown, () => (failed ? t(failed) : (this.server.server?.name ?? '')))
      return false
    } finally {
      this.#busy = null
    }
  }
}
