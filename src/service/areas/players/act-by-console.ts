import type { PlayerAction } from '../../../contract/areas/players.ts'
import { commandOf } from '../../../contract/pure/player-commands.ts'
import type { Runtime } from '../../runtime/types.ts'
import { answerReader, type ConsoleAnswer } from './console-answers.ts'

/** How long a server has to say what came of a command, in ms: it answers within a tick, under load within seconds. */
const ANSWER_MS = 3000
/** The same once it did not say anything to a command: then its answers are not ours to read. */
const SILENT_MS = 250

/** The part of a runtime that commands go through. */
export type CommandPort = Pick<Runtime, 'command' | 'onOutput'>

/**
 * Tells a running server to do something with one player after the other, so that each answer belongs to its command.
 * Null for a player of whom it said nothing. Throws the refusals of `Runtime.command` for the first one; where it ends in
 * between, the others are null.
 */
export async function actByConsole(
  port: CommandPort,
  serverId: string,
  action: PlayerAction,
  names: readonly string[],
  reason: string,
  signal?: AbortSignal,
): Promise<(ConsoleAnswer | null)[]> {
  const answers: (ConsoleAnswer | null)[] = []
  let patience = ANSWER_MS
  for (const name of names) {
    if (signal?.aborted) break
    const answer = await askOnce(port, serverId, action, name, reason, patience).catch((error: unknown) => {
      if (answers.length === 0) throw error
      return null
    })
    if (answer === null) patience = SILENT_MS
    answers.push(answer)
  }
  return answers
}

function askOnce(
  port: CommandPort,
  serverId: string,
  action: PlayerAction,
  name: string,
  reason: string,
  patience: number,
): Promise<ConsoleAnswer | null> {
  const read = answerReader(action, name)
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
      port.command(serverId, commandOf(action, name, reason))
      late = setTimeout(() => end(null), patience)
    } catch (error) {
      stop()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
