import type { PlayerAction } from '../../../contract/areas/players.ts'
import type { Runtime } from '../../runtime/types.ts'
import {
  answerReader,
  type AnswerReader,
  type ConsoleAnswer,
} from '../../../contract/rules/game/console-answers.ts'
import { messageOf } from '../../../contract/rules/game/plain-line.ts'

/** Timeout for a command's answer, in ms: servers answer within a tick, under load within seconds. */
const ANSWER_MS = 3000
/** Timeout once a command got no answer, in ms: probably its output is unreadable to us. */
const SILENT_MS = 250

type CommandPort = Pick<Runtime, 'command' | 'onOutput'>

interface PlayerCommand {
  name: string
  command: string
}

/**
 * Sends one command at a time, so that each answer belongs to its command; null without an answer. Throws the
 * refusals of `Runtime.command` for the first player; if it fails later, the rest are null.
 */
export async function actByConsole(
  port: CommandPort,
  serverId: string,
  action: PlayerAction,
  commands: readonly PlayerCommand[],
  { signal, checkAgain }: { signal?: AbortSignal | undefined; checkAgain: () => void },
): Promise<(ConsoleAnswer | null)[]> {
  const answers: (ConsoleAnswer | null)[] = []
  let patience = ANSWER_MS
  for (const { name, command } of commands) {
    if (signal?.aborted) break
    // A hundred unanswered commands take minutes, and the caller may lose access meanwhile.
    try {
      checkAgain()
    } catch (error) {
      if (answers.length === 0) throw error
      break
    }
    const asked = { command, read: answerReader(action, name), patience }
    const answer = await askConsole(port, serverId, asked).catch((error: unknown) => {
      if (answers.length === 0) throw error
      return null
    })
    if (answer === null) patience = SILENT_MS
    answers.push(answer)
  }
  return answers
}

interface ConsoleQuery {
  command: string
  read: AnswerReader
  patience?: number
}

/** Null without an answer. Throws the refusals of `Runtime.command`. */
export function askConsole(
  port: CommandPort,
  serverId: string,
  { command, read, patience = ANSWER_MS }: ConsoleQuery,
): Promise<ConsoleAnswer | null> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    const stop = port.onOutput(serverId, (lines) => {
      for (const line of lines) {
        const message = messageOf(line)
        const answer = message === null ? null : read(message)
        if (answer) return end(answer)
      }
    })
    const end = (answer: ConsoleAnswer | null) => {
      clearTimeout(late)
      stop()
      resolve(answer)
    }
    try {
      port.command(serverId, command)
      late = setTimeout(() => end(null), patience)
    } catch (error) {
      stop()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
