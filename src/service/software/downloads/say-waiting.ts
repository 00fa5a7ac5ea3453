import type { PauseListener, TaskSubscriber } from './shared-tasks.ts'

export const SHORT_WAIT = 5

/** Reports each pause once, though several downloads may wait for it. */
export function sayWaiting(say: (sentence: string) => void): PauseListener {
  const toldUntil = new Map<string, number>()
  return (host, seconds) => {
    const now = performance.now() / 1000
    if (seconds <= SHORT_WAIT || (toldUntil.get(host) ?? 0) > now) return
    toldUntil.set(host, now + seconds)
    say(`${host} accepts no more requests at the moment. The download continues in ${seconds} seconds.`)
  }
}

export const saysOf = (say: (sentence: string) => void): Pick<TaskSubscriber, 'onWaiting' | 'onShared'> => ({
  onWaiting: sayWaiting(say),
  onShared: () =>
    say('This is already being downloaded for another server. Both wait for the same download.'),
})
