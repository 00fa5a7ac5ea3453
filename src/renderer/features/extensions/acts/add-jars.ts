import type { Extension, ServerRef } from '../../../../contract/bridge/values.ts'
import type { Transfer } from '../../../../contract/bridge/transfer-values.ts'
import { asProblem, call, send, upload } from '../../../core/bridge.ts'
import { followTransfer, forgetSent, movingIn } from '../../../core/moving-in.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { problemWords } from '../../../catalog/extension-problems.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

interface Jars {
  ref: ServerRef
  name: string
  folder: string
  files: readonly File[]
  /** Whether jars become active only at the next start. */
  waits: () => boolean
  changed: () => void
}

/** Warnings shown at most; the list shows all problems. */
const TOLD_MOST = 3

/** Resolves once on the way. Unsupported services get the jars in the server's folder. Throws a `Problem`. */
export async function addJars(jars: Jars): Promise<void> {
  const { ref, folder, files, changed } = jars
  const picked = files.map((file) => ({ file, path: file.name }))
  const importId = await begin(ref.connectionId, jars.name)
  if (importId === null) {
    const { transferId } = await upload({ to: { ...ref, folder }, files: picked, folders: [] })
    return follow(transferId, ({ state }) => state === 'failed', changed)
  }
  try {
    const to = { connectionId: ref.connectionId, serverId: importId, folder: '' }
    const { transferId } = await upload({ to, files: picked, folders: [] })
    // A failed upload can be retried until it is dismissed.
    follow(
      transferId,
      () => false,
      (isDone) => {
        if (!isDone) return void forgetSent(ref.connectionId, importId)
        // In the history it would show as an upload to an unknown server.
        void call('transfers.clear', { transferId }).catch(() => undefined)
        void adopt(jars, importId)
      },
    )
  } catch (thrown) {
    void forgetSent(ref.connectionId, importId)
    throw thrown
  }
}

/** Null if the service does not support it. */
async function begin(connectionId: string, name: string): Promise<string | null> {
  try {
    const begun = await send('servers.begin-import', { connectionId, query: { for: 'extension' } })
    if (!begun) return null
    movingIn.set(begun.id, name)
    return begun.id
  } catch (thrown) {
    // Older services accept only servers and modpacks.
    if (['unavailable', 'invalid'].includes(asProblem(thrown).code)) return null
    throw thrown
  }
}

async function adopt({ ref, files, waits, changed }: Jars, importId: string): Promise<void> {
  const { connectionId, serverId } = ref
  try {
    const body = { importId, names: files.map(({ name }) => name) }
    const added = await send('extensions.adopt', { connectionId, params: { serverId }, body })
    movingIn.delete(importId)
    tell(added?.items ?? [], waits())
  } catch (thrown) {
    // Refusals of the jars say it themselves.
    const isSaid = asProblem(thrown).serviceCode?.startsWith('extensions.') ?? false
    notifyProblem(thrown, isSaid ? undefined : () => t('extensions.did-not-upload'))
    void forgetSent(connectionId, importId)
  } finally {
    changed()
  }
}

function tell(items: readonly Extension[], waits: boolean): void {
  const wrong = items.flatMap((one) => {
    const problems = one.problems ?? []
    // For mods, a library is normal.
    if (problems.length === 0 && one.kind) return []
    const words = () =>
      problems.length > 0 ? problems.map(problemWords).join(' · ') : t('extensions.problem-not-described')
    return [{ name: one.name, words }]
  })
  const later = waits ? () => t('extensions.at-next-start') : undefined
  for (const { name, words } of wrong.slice(0, TOLD_MOST)) {
    const more = () => [words(), later?.()].filter(Boolean).join(' · ')
    notify({ tone: 'warning', text: () => t('extensions.did-add', { count: 1, name }), more })
  }
  const [first] = items
  if (!first || wrong.length > 0) return
  const text = () => t('extensions.did-add', { count: items.length, name: first.name })
  notify({ tone: 'done', text, ...(later && { more: later }) })
}

/** Calls back once when the transfer ends. `isEnd` decides for states that can still resume. */
function follow(
  transferId: string,
  isEnd: (transfer: Transfer) => boolean,
  ended: (isDone: boolean) => void,
): void {
  let [wasSeen, hasEnded] = [false, false]
  const stop = followTransfer(transferId, (transfer) => {
    wasSeen ||= transfer !== undefined
    if (hasEnded || (!transfer && !wasSeen)) return
    if (transfer && transfer.state !== 'done' && transfer.state !== 'cancelled' && !isEnd(transfer)) return
    hasEnded = true
    stop()
    ended(transfer?.state === 'done')
  })
}
