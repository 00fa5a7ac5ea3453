import { expect, test } from 'vitest'
import { behind } from './priority.ts'

test('Long work takes four threads for files, whoever asks for it, and its steps come in turn', async () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const steps = [0, 1, 2, 3, 4, 5].map((at) =>
    behind(async () => {
      begun.push(at)
      await new Promise<void>((resolve) => (ends[at] = resolve))
    }),
  )
  expect(begun).toEqual([0, 1, 2, 3])
  ends[2]?.()
  await steps[2]
  expect(begun).toEqual([0, 1, 2, 3, 4])
  for (const at of [0, 1, 3]) ends[at]?.()
  await Promise.all([steps[0], steps[1], steps[3]])
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  for (const at of [4, 5]) ends[at]?.()
  await Promise.all(steps)
})
