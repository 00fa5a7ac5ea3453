import type { PlayerAction } from '../../../contract/areas/players.ts'
import type { Runtime } from '../../runtime/types.ts'
import { answerReader, type ConsoleAnswer } from './console-answers.ts'

/** How long a server has to say what came of a command, in ms: it answers within a tick, under load within seconds. */
const ANSWER_MS = 3000
/** The same once it did not say anything to a command: then its answers are not ours to read. */
const SILENT_MS = 250

/** The part of a runtime that commands go through. */
export type CommandPort = Pick<Runtime, 'command' | 'onOutput'>

/** A command about one player. */
export interface PlayerCommand {
  name: string
  command: string
}

/**
 * Tells a running server to do something with one player after the other, so that each answer belongs to its command.
 * Null for a player of whom it said nothing. Throws the refusals of `Runtime.command` for the first one; where it ends in
 * between, the others are null.
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
    // A hundred names take minutes where the server says nothing: who was let in may not be any more.
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

/** A command, and how its answer is read among the server's lines. `patience`: how long it is waited for, in ms. */
export interface AskedConsole {
  command: string
  read: (line: string) => ConsoleAnswer | null
  patience?: number
}

/** Null where the server said nothing to it. Throws the refusals of `Runtime.command`. */
export function askConsole(
  port: CommandPort,
  serverId: string,
  { command, read, patience = ANSWER_MS }: AskedConsole,
): Promise<ConsoleAnswer | null> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    const stop = port.onOutput(serverId, (lines) => {
      for (const line of lines) {
        const answer = read(line)
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
