import type { Backup } from '../../../../contract/areas/backups.ts'
import { mayPass } from '../../../../contract/bridge/problem.ts'
import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { readView } from '../../../core/bridge.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { go } from '../../../core/routes/router.svelte.ts'
import { powerReason } from '../../../core/servers/power.ts'
import { requestPower } from '../../../core/servers/power-requests.ts'
import { statusKind } from '../../../core/servers/status.ts'
import { said, t, type Words } from '../../../messages/t.svelte.ts'
import { notify, type NoticeAction, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

/** In ms. */
const AGAIN_EVERY = 2000

interface Restoring extends ServerRef {
  backup: string
  /** All backups there were when it was asked for. */
  before: ReadonlySet<string>
  done: Words
}

/** Servers whose restoring was canceled here. */
const canceled = new Set<string>()
const keyOf = ({ connectionId, serverId }: ServerRef) => `${connectionId}/${serverId}`

export const restoringCanceled = (ref: ServerRef): void => void canceled.add(keyOf(ref))

const isBringingBack = ({ id, change, state, progress }: Backup, backup: string): boolean =>
  (id === backup && progress?.kind === 'restore') ||
  (change === 'restore' && (state === 'waiting' || state === 'running'))

/** Says how a restoring that was just accepted has ended, wherever in the panel somebody is then. */
export function tellWhenRestored(of: Restoring): void {
  const acceptedAt = new Date().toISOString()
  canceled.delete(keyOf(of))
  const { connectionId, serverId, backup } = of
  const view = new LiveView('backups.list', { connectionId, params: { serverId } })
  const end = $effect.root(() => {
    const timer = setInterval(() => void view.again(), AGAIN_EVERY)
    $effect(() => {
      const { value, asOf, problem } = view
      const isLost = panel.connection(connectionId) === null || (problem !== null && !mayPass(problem.code))
      const isOver =
        value !== null && (asOf ?? '') > acceptedAt && !value.items.some((one) => isBringingBack(one, backup))
      if (!isLost && !isOver) return
      // Outside the effect that it ends.
      queueMicrotask(() => {
        end()
        if (isOver) void tell(of, value.items)
      })
    })
    return () => clearInterval(timer)
  })
}

async function tell(of: Restoring, now: readonly Backup[]): Promise<void> {
  const { connectionId, serverId, before, done } = of
  const name: Words = () => panel.server(connectionId, serverId)?.name ?? ''
  const status = await readView('servers.status', { connectionId, params: { serverId } }, true).catch(
    () => null,
  )
  const failure = status?.value?.failure
  if (failure)
    return notify({
      tone: 'error',
      text: () => t('backup.restore-failed', { server: name() }),
      more: () => said(failure.error),
    })
  if (canceled.delete(keyOf(of))) return
  // What was there is kept when it has been replaced. Without it, somebody else may have canceled.
  const isDone = now.some(
    ({ id, change, state }) => change === 'restore' && state === 'done' && !before.has(id),
  )
  if (!isDone)
    return notify({
      tone: 'done',
      text: () => t('backup.restore-ended', { server: name() }),
      action: {
        label: () => t('last-lines.all'),
        run: () => go({ view: 'server', connectionId, serverId, tab: 'console' }),
      },
    })
  const start = startOf(of, name)
  notify({ tone: 'done', text: done, ...(start && { action: start }) })
}

function startOf({ connectionId, serverId }: ServerRef, name: Words): NoticeAction | null {
  const server = panel.server(connectionId, serverId)
  const reach = panel.reach(connectionId)
  if (!server || powerReason('start', statusKind(server.status), server.role, reach) !== null) return null
  return {
    label: () => t('power.start'),
    run: () =>
      requestPower({ connectionId, serverId }, 'start').catch((thrown: unknown) =>
        notifyProblem(thrown, name),
      ),
  }
}
