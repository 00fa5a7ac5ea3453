import { totalmem } from 'node:os'
import { refusal } from './refusal.ts'

export interface ComputerMemory {
  bytes: number
  isLimited: boolean
}

/** @param given bytes the system grants us; 0 or more than `total` means no limit */
export function computerMemory(total = totalmem(), given = process.constrainedMemory()): ComputerMemory {
  const isLimited = given > 0 && given < total
  return { bytes: isLimited ? given : total, isLimited }
}

export const memoryMb = ({ bytes }: ComputerMemory = computerMemory()): number =>
  Math.floor(bytes / 1024 ** 2)

/** Throws Refusal 422 `software.memory`. */
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
