import { totalmem } from 'node:os'
import { expect, it } from 'vitest'
import { computerMemory, memoryMb } from '../../host/computer-memory.ts'
import { requireMemory } from './computer-limits.ts'

const GIB = 1024 ** 3

it.each([
  ['a limit of a container', 2 * GIB, { bytes: 2 * GIB, isLimited: true }],
  ['no limit', 0, { bytes: 8 * GIB, isLimited: false }],
  ['a limit that says none, as the system writes it', 2 ** 64, { bytes: 8 * GIB, isLimited: false }],
  ['a limit as large as the computer', 8 * GIB, { bytes: 8 * GIB, isLimited: false }],
])('of %s, what counts is the smaller', (_, given, memory) => {
  expect(computerMemory(8 * GIB, given)).toEqual(memory)
})

it('never more than the computer has', () => {
  expect(computerMemory().bytes).toBeLessThanOrEqual(totalmem())
  expect(memoryMb()).toBeGreaterThan(0)
})

it('a server that wants more than a container gives is refused with figures, and with who sets the limit', () => {
  const limited = computerMemory(8 * GIB, 2 * GIB)
  requireMemory(2048, limited)
  expect(() => requireMemory(2049, limited)).toThrow(
    'The memory limit of 2049 MiB is larger than the memory that this service may use, which is 2048 MiB: its container',
  )
  expect(() => requireMemory(9000, computerMemory(8 * GIB, 0))).toThrow(
    "this computer's memory, which is 8192 MiB",
  )
})
