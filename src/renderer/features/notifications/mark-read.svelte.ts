import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { asProblem, send } from '../../core/bridge.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

/** Ids that one request names at most. */
const AT_ONCE = 200

/** Connections whose services do not take that something was read. */
const cannot = new SvelteSet<string>()
/** Ids that are being marked, by connection. */
const marking = new SvelteMap<string, ReadonlySet<string>>()

/** Whether a service takes that something was read, as far as is known. */
export const canMark = (connectionId: string): boolean => !cannot.has(connectionId)

export const isMarking = (connectionId: string, id: string): boolean =>
  marking.get(connectionId)?.has(id) ?? false

/** Marks notifications read. Where the service has no such thing, that is not offered again; what fails is told. */
export async function markRead(connectionId: string, ids: readonly string[]): Promise<void> {
  if (!canMark(connectionId) || ids.length === 0) return
  const before = marking.get(connectionId) ?? new Set()
  marking.set(connectionId, new Set([...before, ...ids]))
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await send('notifications.read', { connectionId, body: { ids: ids.slice(at, at + AT_ONCE) } })
  } catch (thrown) {
    if (asProblem(thrown).code === 'unavailable') cannot.add(connectionId)
    else notifyProblem(thrown)
  } finally {
    const left = new Set(marking.get(connectionId))
    for (const id of ids) left.delete(id)
    marking.set(connectionId, left)
  }
}
