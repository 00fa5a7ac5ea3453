import { send } from '../../core/bridge.ts'
import { t } from '../../messages/t.svelte.ts'
import { notify, notifyProblem } from '../../ui/feedback/notices.svelte.ts'

/** Reports a taken port, with a button for another port if the user may change it. */
export function tellPortTaken(
  thrown: unknown,
  { connectionId, serverId, name, mayMove }: PortConflict,
): void {
  const at = { connectionId, params: { serverId } }
  const usePort = async () => {
    try {
      const port = (await send('servers.change-port', { ...at, body: {} }))?.port ?? null
      if (port !== null) notify({ tone: 'done', text: () => t('crash.port-moved', { port: String(port) }) })
      await send('servers.power', { ...at, body: { action: 'start' } })
    } catch (failed) {
      notifyProblem(failed, () => name)
    }
  }
  const action = { label: () => t('crash.use-port'), run: usePort, lasting: true }
  notifyProblem(thrown, () => name, mayMove ? action : undefined)
}

interface PortConflict {
  connectionId: string
  serverId: string
  name: string
  mayMove: boolean
}
