import { untrack } from 'svelte'
import type { Server } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go, stillHere, expectArrival } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { notify, notifyProblem } from '../../ui/feedback/notices.svelte.ts'
import { send } from '../../core/bridge.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'

/**
 * Asked for before a server is created, then called with it: opens it, unless the form has been left, and starts it if
 * wanted. `server` is null if the service did not say which one it is.
 */
export function arrival(connectionId: string, made: string) {
  const isHere = stillHere()
  return async (server: Server | null, starts = false): Promise<void> => {
    // The list must contain the server before its view is shown.
    await untrack(() => panel.servers(connectionId).again())
    const { value, problem } = panel.servers(connectionId)
    if (!server) {
      const listed = !value?.byId && problem?.code !== 'unavailable' && problem?.code !== 'forbidden'
      notify({
        tone: 'done',
        text: () => t(listed ? 'create.made' : 'create.made-unlisted', { name: made }),
      })
      if (isHere()) go({ view: 'connection', connectionId }, { replace: true })
      return
    }
    const { id } = server
    if (starts) startCreated(connectionId, id, made)
    if (value?.byId && !value.items.some((one) => one.id === id))
      notify({ tone: 'warning', text: () => t('create.made-not-kept', { name: made, id }) })
    if (!isHere()) return notify({ tone: 'done', text: () => t('create.done', { name: made }) })
    // The focused button goes away with the form.
    expectArrival(id)
    go({ view: 'server', connectionId, serverId: id, tab: 'overview' }, { replace: true })
  }
}

/** Starts a new server as soon as its installation is done; one that failed is left as it is. */
function startCreated(connectionId: string, serverId: string, name: string): void {
  const server = new ServerState(connectionId, serverId)
  const stop = $effect.root(() => {
    $effect(() => {
      const { kind, status, failure } = server
      if (kind === 'installing' || status === null || status === undefined) return
      const starts = kind === 'offline' && !failure
      // Outside the effect that it ends.
      queueMicrotask(() => {
        stop()
        if (!starts) return
        const start = { connectionId, params: { serverId }, body: { action: 'start' as const } }
        send('servers.power', start).catch((thrown: unknown) => notifyProblem(thrown, () => name))
      })
    })
  })
}
