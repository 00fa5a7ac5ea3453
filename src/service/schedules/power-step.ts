import { isStopped } from '../../contract/rules/power.ts'
import { refusal } from '../../host/refusal.ts'
import type { Timers } from '../base/timers.ts'
import type { ManagedServer } from '../runtime/managed-server.ts'

type Server = Pick<ManagedServer, 'changes' | 'isDown' | 'power' | 'status'>

const STOP_MINUTES = 10
/** Downloads can take long. */
const START_MINUTES = 60

/** Resolves when it is so; false: it was already. Throws power's refusals, 409 `schedules.ended`, `schedules.too-long`. */
export async function powerStep(
  server: Server,
  action: 'start' | 'stop' | 'restart',
  how: { timers: Timers; signal: AbortSignal },
): Promise<boolean> {
  if (action === 'stop') {
    if (server.isDown) return false
    await server.power('stop')
    await until(server, () => server.isDown, STOP_MINUTES, how)
    return true
  }
  const { status } = server.status()
  // A sleeping server starts afresh for whoever joins next.
  if (status === (action === 'start' ? 'online' : 'sleeping')) return false
  if (action === 'restart') {
    await server.power('restart')
    await until(server, () => server.status().status !== 'stopping', STOP_MINUTES, how)
  } else if (isStopped(status)) await server.power('start')
  const isSettled = () => server.isDown || server.status().status === 'online'
  await until(server, isSettled, START_MINUTES, how)
  if (server.isDown) throw refusal(409, 'schedules.ended')
  return true
}

/** Asks a turn after each change: a server that starts again, or after its download, is down for a moment. */
function until(
  server: Server,
  isSo: () => boolean,
  minutes: number,
  { timers, signal }: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const end = () => {
      stopLate()
      stopChanges()
      signal.removeEventListener('abort', abort)
    }
    const look = () =>
      setImmediate(() => {
        if (!isSo()) return
        end()
        resolve()
      })
    const abort = () => {
      end()
      reject(signal.reason as Error)
    }
    const stopLate = timers.after(minutes * 60_000, () => {
      end()
      reject(refusal(409, 'schedules.too-long', { minutes }))
    })
    const stopChanges = server.changes.on(look)
    signal.addEventListener('abort', abort, { once: true })
    look()
  })
}
