import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import type { ProcessExit } from './programs/driver.ts'
import type { Values } from '../../contract/messages/message.ts'

/** SIGTERM (128 + 15). */
const TERMINATED = 143

/** It said that it stops, was given up, or ended with its computer while no service was there. */
export const isStop = ({ exitCode, isAway, isAbandoned }: ProcessExit, phase: string): boolean =>
  isAbandoned === true ||
  (phase === 'stopping' && exitCode === 0) ||
  (isAway === true && [0, TERMINATED].includes(exitCode))

/** `why`: title of a crash; null if unknown. */
export function endingParts(
  { exitCode, signal, isAbandoned }: ProcessExit,
  phase: string,
  isIntended: boolean,
  why: RefusalText | null,
): RefusalText[] {
  if (isAbandoned) return [refusalText('console.abandoned')]
  if (isIntended && exitCode === 0) return [refusalText('console.stopped')]
  const how: { how: string } & Values = signal
    ? { how: 'signal', signal }
    : { how: 'exit-code', code: String(exitCode) }
  if (isIntended) return [refusalText('console.ended', how)]
  const isStarting = phase === 'starting'
  if (!why) return [refusalText(isStarting ? 'console.crashed-starting' : 'console.crashed', how)]
  return [refusalText(isStarting ? 'console.crashed-starting-because' : 'console.crashed-because', how), why]
}
