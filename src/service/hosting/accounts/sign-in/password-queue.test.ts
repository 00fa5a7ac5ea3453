import { expect, test } from 'vitest'
import { PasswordQueue, type Waiter } from './password-queue.ts'

/** A queue whose first piece of work goes on until it is let go, and the order in which the others were done. */
function heldQueue(bounds = { atOnce: 1, waiting: 6, waitingPerLane: 4 }) {
  const queue = new PasswordQueue(bounds)
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  void queue.run({ lane: 'stranger', group: 'first' }, () => first.promise)
  const add = (name: string, group: string, lane: Waiter['lane'] = 'stranger') =>
    queue
      .run({ lane, group }, async () => void order.push(name))
      .then(
        () => 'done',
        (error: { status: number; code: string }) => `${error.status} ${error.code}`,
      )
  return { order, add, letGo: () => first.resolve() }
}

test('lanes take turns, so that neither holds up the other', async () => {
  const { order, add, letGo } = heldQueue()
  const all = [
    add('s1', 'a'),
    add('s2', 'b'),
    add('s3', 'c'),
    add('k1', 'o', 'known'),
    add('k2', 'o', 'known'),
  ]
  letGo()
  await Promise.all(all)
  expect(order).toEqual(['k1', 's1', 'k2', 's2', 's3'])
})

test('one asker has bounded room, and a full lane takes it from who has most', async () => {
  const { order, add, letGo } = heldQueue()
  const a = [1, 2, 3, 4, 5].map((i) => add(`a${i}`, 'a'))
  const others = ['b', 'c', 'd'].map((name) => add(name, name))
  const known = add('k', 'o', 'known')
  letGo()
  expect(await Promise.all(a)).toEqual(['done', 'done', 'done', '429 service.busy', '429 service.busy'])
  expect([...(await Promise.all(others)), await known]).toEqual(['done', 'done', 'done', 'done'])
  expect(order).toHaveLength(7)
})
