import { totalmem } from 'node:os'
import { Refusal } from './refusal.ts'

/** MiB of memory that this computer has. */
export const computerMb = (bytes = totalmem()): number => Math.floor(bytes / 1024 ** 2)

/**
 * Throws Refusal 422 `software.memory`, with figures, where a limit (MiB) is larger than the computer's memory (bytes).
 */
export function requireMemory(limitMb: number, computerBytes = totalmem()): void {
  const there = computerMb(computerBytes)
  if (limitMb <= there) return
  const message =
    `The memory limit of ${limitMb} MiB is larger than this computer's memory, which is ${there} MiB. ` +
    'Set a lower limit, and leave some for the system and other servers.'
  throw new Refusal(422, 'software.memory', message, { fields: { memoryMb: [message] } })
}
