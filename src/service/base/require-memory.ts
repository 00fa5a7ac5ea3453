import { computerMemory, memoryMb } from '../../host/computer-memory.ts'
import { refusal } from './refusal.ts'

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
