import type { ProcessExit } from './processes/driver.ts'

/** `why`: cause of a crash; null for an intended end. */
export function endingSentence({ exitCode, signal }: ProcessExit, phase: string, why: string | null): string {
  const how = signal ? `by the signal ${signal}` : `with exit code ${exitCode}`
  if (why === null) return exitCode === 0 ? 'The server has stopped.' : `The server has ended, ${how}.`
  const when =
    phase === 'starting' ? 'The server ended while it was starting' : 'The server crashed: it ended'
  return `${when}, ${how}. ${why}`
}
