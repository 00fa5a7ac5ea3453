import { setTimeout as wait } from 'node:timers/promises'
import { isWildcard } from '../base/host.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import { pingServer } from '../worlds/server-list-ping.ts'
import type { ServerSpec } from './types.ts'

/** When a server that has not said that it is ready is asked, in milliseconds. */
export interface AnswerTuning {
  /** After its start. Most have said so by then. */
  firstMs: number
  /** Between two questions. */
  everyMs: number
}

export const ANSWER_TUNING: AnswerTuning = { firstMs: 15_000, everyMs: 5_000 }

/** So many answers in a row: a server that could not have the port has ended before the second one. */
const ANSWERS = 2

/**
 * Resolves with the sign that a server which starts is online, because it answers Server List Ping: the log of some says so
 * in words of their own, or not at all. With null once `isStarting` says that it starts no more. The port was free right
 * before its program was started: what answers there while that runs is the program itself.
 */
export async function awaitAnswer(
  { host, port }: Pick<ServerSpec, 'host' | 'port'>,
  isStarting: () => boolean,
  { firstMs, everyMs }: AnswerTuning = ANSWER_TUNING,
  say: (sentence: string) => void,
): Promise<Sign | null> {
  // Where it listens everywhere it listens at loopback too.
  const at = isWildcard(host) ? (host === '::' ? '::1' : '127.0.0.1') : host
  let answers = 0
  await wait(firstMs, undefined, { ref: false })
  while (isStarting()) {
    answers = (await pingServer(port, { host: at })) ? answers + 1 : 0
    if (answers === ANSWERS && isStarting()) {
      say('The server answers, so it counts as online. Its log did not say that it is ready.')
      return { kind: 'online' }
    }
    await wait(everyMs, undefined, { ref: false })
  }
  return null
}
