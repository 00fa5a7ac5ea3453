import type { Extension, ServerRef } from '../../../../contract/bridge/values.ts'
import type { Transfer } from '../../../../contract/bridge/transfer-values.ts'
import { asProblem, call, on, send, upload } from '../../../core/bridge.ts'
import { forgetSent, movingIn } from '../../../core/moving-in.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { problemWords } from '../../../catalog/extension-problems.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

interface Jars {
  /** Where they are to be extensions, and what that is called. */
  ref: ServerRef
  name: string
  /** The folder of the server that its jars lie in. */
  folder: string
  files: readonly File[]
  /** Whether they get their places at the next start only. */
  waits: () => boolean
  /** Called when something else may be installed. */
  changed: () => void
}

/** Problems of so many are told at once; all of them stand in the list. */
const TOLD_MOST = 3

/**
 * Sends jars beside the server and has them added there, each in place of the same extension. A service that cannot do that
 * gets them into the server's folder. Resolves when they are on the way. Throws a `Problem` where they cannot be sent.
 */
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
    // One that failed can be sent again, for as long as nobody lets go of it.
    follow(
      transferId,
      () => false,
      (isDone) => {
        if (!isDone) return void forgetSent(ref.connectionId, importId)
        // In the history it would be an upload to a server that nobody knows.
        void call('transfers.clear', { transferId }).catch(() => undefined)
        void adopt(jars, importId)
      },
    )
  } catch (thrown) {
    void forgetSent(ref.connectionId, importId)
    throw thrown
  }
}

/** Null where the service takes nothing that is to be added. */
async function begin(connectionId: string, name: string): Promise<string | null> {
  try {
    const begun = await send('servers.begin-import', { connectionId, query: { for: 'extension' } })
    if (!begun) return null
    movingIn.set(begun.id, name)
    return begun.id
  } catch (thrown) {
    // An older service knows of servers and modpacks alone.
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
    notifyProblem(thrown, () => t('extensions.did-not-upload'))
    void forgetSent(connectionId, importId)
  } finally {
    changed()
  }
}

/** What was added, and what is wrong with it. */
function tell(items: readonly Extension[], waits: boolean): void {
  const wrong = items.flatMap((one) => {
    const problems = one.problems ?? []
    // Of a library among mods nothing is wrong.
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

/**
 * Tells once when a transfer has ended, with whether all of it is there.
 *
 * @param isEnd whether it ends in a state in which it can go on again
 */
function follow(
  transferId: string,
  isEnd: (transfer: Transfer) => boolean,
  ended: (isDone: boolean) => void,
): void {
  let [wasSeen, hasEnded] = [false, false]
  const moved = ({ items }: { items: readonly Transfer[] }) => {
    const transfer = items.find(({ id }) => id === transferId)
    wasSeen ||= transfer !== undefined
    if (hasEnded || (!transfer && !wasSeen)) return
    if (transfer && transfer.state !== 'done' && transfer.state !== 'cancelled' && !isEnd(transfer)) return
    hasEnded = true
    stop()
    ended(transfer?.state === 'done')
  }
  const stop = on('transfers', moved)
  // It may have ended before anybody listened.
  void call('transfers.list').then(moved, () => undefined)
}
