import type { PauseListener, TaskSubscriber } from './shared-tasks.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../software.ts'

export const SHORT_WAIT = 5

/** Reports each pause once, though several downloads may wait for it. */
export function sayWaiting(say: Say): PauseListener {
  const toldUntil = new Map<string, number>()
  return (host, seconds) => {
    const now = performance.now() / 1000
    if (seconds <= SHORT_WAIT || (toldUntil.get(host) ?? 0) > now) return
    toldUntil.set(host, now + seconds)
    say(refusalText('console.waiting', { host, seconds }))
  }
}

export const saysOf = (say: Say): Pick<TaskSubscriber, 'onWaiting' | 'onShared'> => ({
  onWaiting: sayWaiting(say),
  onShared: () => say(refusalText('console.shared')),
})
