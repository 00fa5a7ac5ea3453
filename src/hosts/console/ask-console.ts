import { setTimeout as wait } from 'node:timers/promises'
import type { AnswerReader, ConsoleAnswer } from '../../contract/rules/game/console-answers.ts'
import { messageOf } from '../../contract/rules/game/plain-line.ts'
import type { LineLog } from './line-log.ts'

/** The value, unless it takes longer than `ms`, or fails. */
export async function soon<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const ended = new AbortController()
  try {
    return await Promise.race([
      promise.catch(() => null),
      wait(ms, null, { signal: ended.signal, ref: false }),
    ])
  } finally {
    ended.abort()
  }
}

/** Sends a command and reads the lines that follow. Null where none of them was an answer within `patience` ms. */
export async function askConsole(
  lines: Promise<LineLog>,
  send: () => Promise<void>,
  read: AnswerReader,
  patience: number,
): Promise<ConsoleAnswer | null> {
  const log = await soon(lines, patience)
  if (!log) {
    await send()
    return null
  }
  const answered = Promise.withResolvers<ConsoleAnswer>()
  let last = log.lastId
  const stop = log.listen(() => {
    for (const news of log.after(last)) {
      if (news.kind !== 'lines') continue
      for (const { text } of news.lines) {
        const message = messageOf(text)
        const answer = message === null ? null : read(message)
        if (answer) answered.resolve(answer)
      }
    }
    last = log.lastId
  })
  try {
    await send()
    return await soon(answered.promise, patience)
  } finally {
    stop()
  }
}
