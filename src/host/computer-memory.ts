import { totalmem } from 'node:os'

export interface ComputerMemory {
  bytes: number
  isLimited: boolean
}

/** @param given bytes the system grants us; 0 or more than `total` means no limit */
export function computerMemory(total = totalmem(), given = process.constrainedMemory()): ComputerMemory {
  const isLimited = given > 0 && given < total
  return { bytes: isLimited ? given : total, isLimited }
}

/** Null where the system doesn't say what could be had: macOS leaves out what it would free. */
export const freeMemoryMb = (): number | null =>
  process.platform === 'darwin' ? null : Math.floor(process.availableMemory() / 1024 ** 2)

export const memoryMb = ({ bytes }: ComputerMemory = computerMemory()): number =>
  Math.floor(bytes / 1024 ** 2)
