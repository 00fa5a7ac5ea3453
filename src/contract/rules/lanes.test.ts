import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LaneFull, Lanes, type LaneBounds } from './lanes.ts'

/** Work that goes on until it is let go; `begun` and `answers` by name. */
function heldWork(bounds: LaneBounds) {
  const lanes = new Lanes(bounds)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const add = (name: string, lane: string, signal?: AbortSignal) => {
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    const work = async () => {
      begun.push(name)
      await end.promise
    }
    return lanes.run(lane, work, signal).then(
      () => 'done',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  }
  return { lanes, begun, ends, add, letAllGo: () => ends.forEach(({ resolve }) => resolve()) }
}

describe('lanes', () => {
  test('take turns, however much one of them asks for', async () => {
    const { begun, add, letAllGo } = heldWork({ atOnce: 1 })
    const all = [add('first', 'first'), ...['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => add(name, name[0]!))]
    letAllGo()
    await Promise.all(all)
    expect(begun).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'a3'])
  })

  test('let in so many at once, before they return, and the next in order, also after one that failed', async () => {
    const { lanes, begun, ends, add, letAllGo } = heldWork({ atOnce: 2 })
    const all = ['0', '1', '2', '3', '4'].map((name) => add(name, 'a'))
    expect(begun).toEqual(['0', '1'])
    ends.get('1')!.reject(new Error('failed'))
    expect(await all[1]).toBe('Error: failed')
    expect(begun).toEqual(['0', '1', '2'])
    letAllGo()
    await Promise.all(all)
    expect(begun).toEqual(['0', '1', '2', '3', '4'])
    expect(lanes.isIdle('a')).toBe(true)
    const later = ['5', '6', '7'].map((name) => add(name, 'a'))
    expect(begun.slice(5)).toEqual(['5', '6'])
    letAllGo()
    await Promise.all(later)
  })

  test('let one piece of work behind a thousand of another lane go with the next of theirs', async () => {
    const lanes = new Lanes({ atOnce: 8 })
    let theirs = 0
    let own: number | null = null
    const all = Array.from({ length: 1000 }, () => lanes.run('greedy', () => (theirs++, setImmediate())))
    const mine = lanes.run('other', () => (own = theirs))
    expect(theirs).toBeLessThan(20)
    await mine
    expect(own).toBeLessThan(30)
    await Promise.all(all)
    expect(theirs).toBe(1000)
  })

  test('that are full hold up nobody else', async () => {
    const { begun, add, letAllGo } = heldWork({ atOnce: 3, perLane: 1 })
    const all = [add('a1', 'a'), add('a2', 'a'), add('b1', 'b'), add('b2', 'b')]
    expect(begun).toEqual(['a1', 'b1'])
    letAllGo()
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2'])
  })
})

describe('who waits', () => {
  test('can leave, and takes nobody else’s place along', async () => {
    const { begun, add, letAllGo } = heldWork({ perLane: 1 })
    const leaving = new AbortController()
    const first = add('first', 'a')
    const left = add('left', 'a', leaving.signal)
    const last = add('last', 'a')
    leaving.abort(new Error('not needed'))
    expect(await left).toBe('Error: not needed')
    expect(await add('gone before', 'a', leaving.signal)).toBe('Error: not needed')
    letAllGo()
    await Promise.all([first, last])
    expect(begun).toEqual(['first', 'last'])
  })

  test('stays once it runs, whatever its signal says', async () => {
    const { add, letAllGo } = heldWork({ perLane: 1 })
    const leaving = new AbortController()
    const running = add('running', 'a', leaving.signal)
    const next = add('next', 'a', leaving.signal)
    letAllGo()
    expect(await running).toBe('done')
    leaving.abort()
    expect(await next).toBe('done')
  })

  test('has bounded room, and where all is taken, the longest lane gives way', async () => {
    const { add, letAllGo } = heldWork({ atOnce: 1, waiting: 6, waitingPerLane: 4 })
    const first = add('first', 'first')
    const a = [1, 2, 3, 4, 5].map((i) => add(`a${i}`, 'a'))
    const others = ['b', 'c', 'd'].map((name) => add(name, name))
    letAllGo()
    expect(await Promise.all(a)).toEqual([
      ...['done', 'done', 'done'],
      'LaneFull: Too many wait.',
      'LaneFull: Too many wait in this lane.',
    ])
    expect(await Promise.all([first, ...others])).toEqual(['done', 'done', 'done', 'done'])
  })

  test('is refused where everybody has one place and all are taken', async () => {
    const { add, letAllGo } = heldWork({ atOnce: 1, waiting: 6 })
    const all = ['first', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => add(name, name))
    letAllGo()
    expect((await Promise.all(all)).filter((answer) => answer !== 'done')).toEqual([
      'LaneFull: Too many wait.',
    ])
  })
})

test('a place that was entered is left once', async () => {
  const lanes = new Lanes({ perLane: 1, waitingPerLane: 1 })
  const leave = await lanes.enter('a')
  const order: string[] = []
  const second = lanes.enter('a').then((out) => (order.push('second'), out))
  await expect(lanes.enter('a')).rejects.toThrow(LaneFull)
  leave()
  leave()
  const leaveSecond = await second
  const third = lanes.enter('a').then(() => order.push('third'))
  expect(order).toEqual(['second'])
  leaveSecond()
  await third
})

describe('shared work', () => {
  /** Walks that end when they are told to, each with its number. */
  function heldWalks() {
    const lanes = new Lanes({ perLane: 1 })
    const ends: PromiseWithResolvers<number>[] = []
    const walk = () => {
      const end = Promise.withResolvers<number>()
      ends.push(end)
      return end.promise
    }
    return { found: () => lanes.share('a', walk), ends }
  }

  test('begins after all who share it have asked', async () => {
    const { found, ends } = heldWalks()
    const first = found()
    await expect.poll(() => ends.length).toBe(1)
    const others = Array.from({ length: 20 }, found)
    ends[0]!.resolve(0)
    expect(await first).toBe(0)
    await expect.poll(() => ends.length).toBe(2)
    const later = found()
    ends[1]!.resolve(1)
    expect(new Set(await Promise.all(others))).toEqual(new Set([1]))
    await expect.poll(() => ends.length).toBe(3)
    ends[2]!.resolve(2)
    expect(await later).toBe(2)
  })

  test('never goes on twice at the same time, also where one begins just as another ends', async () => {
    let going = 0
    const lanes = new Lanes({ perLane: 1 })
    const walk = async () => {
      expect(++going).toBe(1)
      await Promise.resolve()
      going--
    }
    const asked: Promise<void>[] = []
    for (let at = 0; at < 200; at++) {
      asked.push(lanes.share('a', walk))
      if (at % 3 === 0) await Promise.resolve()
    }
    await Promise.all(asked)
    expect(going).toBe(0)
  })

  test('that fails costs those who wait for it alone', async () => {
    const { found, ends } = heldWalks()
    const first = found()
    await expect.poll(() => ends.length).toBe(1)
    const second = found()
    ends[0]!.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await expect.poll(() => ends.length).toBe(2)
    ends[1]!.resolve(1)
    expect(await second).toBe(1)
  })
})
