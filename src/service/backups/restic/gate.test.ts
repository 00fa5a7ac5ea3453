import { expect, test } from 'vitest'
import { Gate } from './gate.ts'

test('many are inside together, one that is to be alone waits and is not passed, and leaving the queue lets the next in', async () => {
  const gate = new Gate()
  const order: string[] = []
  const enter = async (name: string, alone: boolean, signal?: AbortSignal) => {
    const leave = await gate.enter(alone, signal)
    order.push(name)
    return leave
  }
  const [first, second] = await Promise.all([enter('first', false), enter('second', false)])
  const alone = enter('alone', true)
  const canceling = new AbortController()
  const canceled = enter('canceled', true, canceling.signal)
  const later = enter('later', false)
  first()
  first()
  expect(order).toEqual(['first', 'second'])
  second()
  const leaveAlone = await alone
  canceling.abort(new Error('canceled'))
  await expect(canceled).rejects.toThrow('canceled')
  expect(order).toEqual(['first', 'second', 'alone'])
  leaveAlone()
  await later
  expect(order).toEqual(['first', 'second', 'alone', 'later'])
  await expect(gate.enter(false, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})
