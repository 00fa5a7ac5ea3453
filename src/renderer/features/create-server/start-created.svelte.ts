import { send } from '../../core/bridge.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

/** Starts a new server as soon as its installation is done; one that failed is left as it is. */
export function startCreated(connectionId: string, serverId: string, name: string): void {
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
