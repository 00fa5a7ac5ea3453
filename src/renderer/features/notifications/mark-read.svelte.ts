import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { asProblem, send } from '../../core/bridge.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

const AT_ONCE = 200

const cannot = new SvelteSet<string>()
const marking = new SvelteMap<string, ReadonlySet<string>>()

export const canMark = (connectionId: string): boolean => !cannot.has(connectionId)

export const isMarking = (connectionId: string, id: string): boolean =>
  marking.get(connectionId)?.has(id) ?? false

/** If the service does not support it, stops offering it. Failures are shown, unless nobody asked for it. */
export async function markRead(
  connectionId: string,
  ids: readonly string[],
  { quietly = false } = {},
): Promise<void> {
  if (!canMark(connectionId) || ids.length === 0) return
  const before = marking.get(connectionId) ?? new Set()
  marking.set(connectionId, new Set([...before, ...ids]))
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await send('notifications.read', { connectionId, body: { ids: ids.slice(at, at + AT_ONCE) } })
  } catch (thrown) {
    if (asProblem(thrown).code === 'unavailable') cannot.add(connectionId)
    else if (!quietly) notifyProblem(thrown)
  } finally {
    const left = new Set(marking.get(connectionId))
    for (const id of ids) left.delete(id)
    marking.set(connectionId, left)
  }
}
