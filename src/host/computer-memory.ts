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

export const memoryMb = ({ bytes }: ComputerMemory = computerMemory()): number =>
  Math.floor(bytes / 1024 ** 2)
