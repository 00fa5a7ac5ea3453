import { untrack } from 'svelte'
import type { Server } from '../../../contract/bridge/values.ts'
import { expectArrival } from '../../core/routes/arrival.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { notify } from '../../ui/feedback/notices.svelte.ts'
import { startCreated } from './start-created.svelte.ts'

/** Opens a created server, and starts it if wanted. `server` is null if the service did not say which one it is. */
export async function arrive(
  connectionId: string,
  made: string,
  server: Server | null,
  starts = false,
): Promise<void> {
  // The list must contain the server before its view is shown.
  await untrack(() => panel.servers(connectionId).again())
  const { value, problem } = panel.servers(connectionId)
  if (!server) {
    const listed = !value?.byId && problem?.code !== 'unavailable' && problem?.code !== 'forbidden'
    notify({
      tone: 'done',
      text: () => t(listed ? 'create.made' : 'create.made-unlisted', { name: made }),
    })
    return go({ view: 'connection', connectionId }, { replace: true })
  }
  const { id } = server
  if (starts) startCreated(connectionId, id, made)
  if (value?.byId && !value.items.some((one) => one.id === id))
    notify({ tone: 'warning', text: () => t('create.made-not-kept', { name: made, id }) })
  // The focused button goes away with the form.
  expectArrival(server.id)
  go({ view: 'server', connectionId, serverId: server.id, tab: 'overview' }, { replace: true })
}
