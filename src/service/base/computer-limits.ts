import { fullDisk } from '../../host/disk-errors.ts'
import { refusal, type Refusal } from '../../host/refusal.ts'
import { computerMemory, memoryMb } from '../../host/computer-memory.ts'

export const filesDiskFull = () => refusal(507, 'files.disk-full')

/** Null if the error has another cause. */
export function diskFullRefusal(error: unknown): Refusal | null {
  const full = fullDisk(error)
  return full && refusal(507, full === 'full' ? 'service.disk-full' : 'service.disk-full.unwritable')
}

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
