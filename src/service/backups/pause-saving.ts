import { setTimeout as wait } from 'node:timers/promises'
import { savingAnswer } from '../../contract/rules/log-text.ts'
import { messageOf } from '../../contract/rules/game/plain-line.ts'
import type { Runtime } from '../runtime/types.ts'

export type Pause = 'paused' | 'cannot' | 'failed'

export interface PauseLimits {
  /** Large worlds take minutes to write, in ms. */
  flushMs: number
}

export const PAUSE_LIMITS: PauseLimits = { flushMs: 3 * 60_000 }

type Ports = Pick<Runtime, 'find' | 'onOutput' | 'software'>

/**
 * Runs `work` while a running server writes nothing of its own accord. Nothing has to be remembered for the case that
 * this process is killed: the server's process is then ended by the next one, and saving is on at each start.
 */
export async function whilePaused<T>(
  runtime: Ports,
  serverId: string,
  signal: AbortSignal,
  work: (pause: Pause) => Promise<T>,
  limits: PauseLimits = PAUSE_LIMITS,
): Promise<T> {
  const server = runtime.find(serverId)
  const canPause = runtime.software(server.spec.software.id)?.pausesSaving ?? false
  if (!canPause || !server.tell('save-off')) return work('cannot')
  try {
    return await work((await isSaved(runtime, serverId, signal, limits)) ? 'paused' : 'failed')
  } finally {
    // Also if it never went off: then this changes nothing.
    server.tell('save-on')
  }
}

/** False if the server says it failed, doesn't know the command, ends, or takes too long. */
async function isSaved(
  runtime: Ports,
  serverId: string,
  signal: AbortSignal,
  { flushMs }: PauseLimits,
): Promise<boolean> {
  const answered = Promise.withResolvers<boolean>()
  const stop = runtime.onOutput(serverId, (lines) => {
    for (const line of lines) {
      const answer = savingAnswer(messageOf(line) ?? line)
      if (answer !== null) answered.resolve(answer === 'saved')
    }
  })
  const server = runtime.find(serverId)
  const stopChanges = server.changes.on((change) => {
    if (change === 'status' && server.isDown) answered.resolve(false)
  })
  const limit = new AbortController()
  const over = AbortSignal.any([signal, limit.signal])
  try {
    if (!server.tell('save-all flush')) return false
    const late = wait(flushMs, false, { ref: false, signal: over })
    return await Promise.race([answered.promise, late])
  } finally {
    limit.abort()
    stop()
    stopChanges()
  }
}
