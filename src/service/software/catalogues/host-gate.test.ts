import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HostGate, LineFull } from './host-gate.ts'

const crowd = (gate: HostGate, count: number, signal = new AbortController().signal) => {
  const begun: number[] = []
  const acts = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const all = acts.map((act, index) =>
    gate.during(signal, async () => {
      begun.push(index)
      await act.promise
    }),
  )
  return { begun, acts, all }
}

test('lets in so many at once, and the next in the order in which they came, also after one that failed', async () => {
  const gate = new HostGate(2)
  const { begun, acts, all } = crowd(gate, 5)
  await turn()
  expect(begun).toEqual([0, 1])
  acts[1]!.reject(new Error('failed'))
  await expect(all[1]).rejects.toThrow('failed')
  await turn()
  expect(begun).toEqual([0, 1, 2])
  for (const act of acts) act.resolve()
  await Promise.allSettled(all)
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(gate.isIdle).toBe(true)

  const later = crowd(gate, 3)
  await turn()
  expect(later.begun).toEqual([0, 1])
  for (const act of later.acts) act.resolve()
  await Promise.all(later.all)
})

test('who waits can leave, and takes nobody else’s place along', async () => {
  const gate = new HostGate(1)
  const first = crowd(gate, 1)
  const leaving = new AbortController()
  const left = crowd(gate, 1, leaving.signal)
  const last = crowd(gate, 1)
  leaving.abort(new Error('not needed'))
  await expect(left.all[0]).rejects.toThrow('not needed')
  first.acts[0]!.resolve()
  last.acts[0]!.resolve()
  await Promise.all([...first.all, ...last.all])
  expect([left.begun, last.begun]).toEqual([[], [0]])
})

test('a line has an end', async () => {
  const gate = new HostGate(1)
  const { acts, all } = crowd(gate, 202)
  await expect(all[201]).rejects.toThrow(LineFull)
  for (const act of acts) act.resolve()
  await Promise.allSettled(all)
})
