import { setTimeout as wait } from 'node:timers/promises'
import { reachableHere } from '../base/host.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import { pingServer } from '../worlds/server-list-ping.ts'
import type { ServerSpec } from './types.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import type { Say } from '../software/software.ts'

export interface AnswerTuning {
  /** After the start. Most have reported by then. */
  firstMs: number
  everyMs: number
}

const ANSWER_TUNING: AnswerTuning = { firstMs: 15_000, everyMs: 5_000 }

/** In a row: a server that couldn't bind the port ends before the second answer. */
const ANSWERS = 2

/** For servers whose log doesn't report being ready. Null once `isStarting` is false. */
export async function awaitAnswer(
  { host, port }: Pick<ServerSpec, 'host' | 'port'>,
  isStarting: () => boolean,
  { firstMs, everyMs }: AnswerTuning = ANSWER_TUNING,
  say: Say,
): Promise<Sign | null> {
  let answers = 0
  await wait(firstMs, undefined, { ref: false })
  while (isStarting()) {
    answers = (await pingServer(port, { host: reachableHere(host) })) ? answers + 1 : 0
    if (answers === ANSWERS && isStarting()) {
      say(refusalText('console.answers'))
      return { kind: 'online' }
    }
    await wait(everyMs, undefined, { ref: false })
  }
  return null
}
