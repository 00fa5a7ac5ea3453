import { totalmem } from 'node:os'
import { refusal } from './refusal.ts'

/** The memory that servers can have here. */
export interface ComputerMemory {
  bytes: number
  /** The computer may have more: a container or the system gives this service no more of it. */
  isLimited: boolean
}

/**
 * What this computer has, or what is given of it to this service and all that it starts.
 *
 * @param given bytes that the system lets it have; 0 or more than there are where it sets no limit
 */
export function computerMemory(total = totalmem(), given = process.constrainedMemory()): ComputerMemory {
  const isLimited = given > 0 && given < total
  return { bytes: isLimited ? given : total, isLimited }
}

/** The same in whole MiB. */
export const memoryMb = ({ bytes }: ComputerMemory = computerMemory()): number =>
  Math.floor(bytes / 1024 ** 2)

/** Throws Refusal 422 `software.memory`, with figures, where a limit (MiB) is larger than that. */
export function requireMemory(limitMb: number, memory = computerMemory()): void {
  const there = memoryMb(memory)
  if (limitMb <= there) return
  const figures = { limit: String(limitMb), there: String(there) }
  throw (
    memory.isLimited
      ? refusal(422, 'software.memory.given', figures)
      : refusal(422, 'software.memory', figures)
  ).at('memoryMb')
}
