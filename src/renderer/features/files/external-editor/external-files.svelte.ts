import { createSubscriber } from 'svelte/reactivity'
import type { ExternalFile } from '../../../../contract/bridge/external-editor-calls.ts'
import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { nameOf } from '../../../../contract/rules/paths.ts'
import { call, on, onReach } from '../../../core/bridge.ts'
import { t } from '../../../messages/t.svelte.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { sameServer } from '../operations/clipboard.svelte.ts'

/** A server's files open in local editors; live while something renders it. */
export class ExternalFileList {
  #all = $state.raw<readonly ExternalFile[]>([])
  readonly #server: ServerRef
  readonly #subscribe: () => void

  constructor(server: ServerRef) {
    this.#server = server
    this.#subscribe = createSubscriber(() => {
      const stop = on('external-files', (all) => (this.#all = all))
      const stopReach = onReach((reached) => {
        if (reached) void this.#read()
      })
      return () => {
        stop()
        stopReach()
      }
    })
  }

  get files(): ExternalFile[] {
    this.#subscribe()
    return this.#all.filter((one) => sameServer(one, this.#server))
  }

  async #read(): Promise<void> {
    // If main does not answer, the rest of the window says so.
    const all = await call('external-editor.list').catch(() => null)
    if (all) this.#all = all
  }
}

export async function openOutside(server: ServerRef, path: string, readOnly: boolean): Promise<void> {
  const { connectionId, serverId } = server
  const name = nameOf(path)
  try {
    const { state } = await call('external-editor.open', { connectionId, serverId, path, readOnly })
    const isReadOnly = state.kind === 'read-only'
    notify({
      tone: 'done',
      text: () => t(isReadOnly ? 'external-editor.opened-read-only' : 'external-editor.opened', { name }),
    })
  } catch (thrown) {
    notifyProblem(thrown, () => name)
  }
}

export async function stopEditing({ id, path }: ExternalFile): Promise<void> {
  const { keptAt } = await call('external-editor.stop', { id })
  if (keptAt === null) return
  const name = nameOf(path)
  notify({ tone: 'warning', text: () => t('external-editor.kept', { name }), more: () => keptAt })
}
