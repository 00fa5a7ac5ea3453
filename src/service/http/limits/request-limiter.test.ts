import { describe, expect, test } from 'vitest'
import { BOUNDS, type Bounds } from './bounds.ts'
import { RequestLimiter } from './request-limiter.ts'

const never = new AbortController().signal
const limiter = (bounds: Partial<Bounds>, now = () => 0) => new RequestLimiter({ ...BOUNDS, ...bounds }, now)
const create = { id: 'servers.create', rate: { burst: 3, perSecond: 0.5 } }
const changing = { lane: 'changing' } as const

describe('requests of one account', () => {
  test('are so many at once, whatever others have under way', () => {
    const gates = limiter({ requestsAtOnce: 2 })
    const end = gates.begin('ann')
    gates.begin('ann')
    expect(() => gates.begin('ann')).toThrow(
      expect.objectContaining({ status: 429, code: 'request.too-many', headers: { 'Retry-After': '1' } }),
    )
    gates.begin('bob')
    end()
    end()
    gates.begin('ann')
    expect(() => gates.begin('ann')).toThrow()
  })

  test('do not count with its streams of events', () => {
    const gates = limiter({ requestsAtOnce: 1, streams: 1 })
    gates.begin('ann', true)
    gates.begin('ann')
    expect(() => gates.begin('ann', true)).toThrow(
      expect.objectContaining({ code: 'console.too-many-streams' }),
    )
  })

  test('are so many in a time, and the answer says when to come again', () => {
    let now = 0
    const gates = limiter({}, () => now)
    for (let i = 0; i < 3; i++) gates.spend('ann', create)
    expect(() => gates.spend('ann', create)).toThrow(
      expect.objectContaining({ status: 429, code: 'request.too-often', headers: { 'Retry-After': '2' } }),
    )
    gates.spend('bob', create)
    gates.spend('ann', { id: 'servers.list', rate: null })
    now = 2000
    gates.spend('ann', create)
    expect(() => gates.spend('ann', create)).toThrow()
  })
})

describe('what takes long', () => {
  const gates = () => limiter({ lanes: { reading: 1, changing: 1, bringing: 1, searching: 1 } })

  test('waits for what the same account has under way, in order, and for nobody else', async () => {
    const own = gates()
    const order: string[] = []
    const leave = await own.enter('ann', changing, never)
    const second = own.enter('ann', changing, never).then((out) => (order.push('second'), out))
    const third = own.enter('ann', changing, never).then((out) => (order.push('third'), out))
    await own.enter('ann', { lane: 'reading' }, never)
    await own.enter('bob', changing, never)
    expect(order).toEqual([])
    leave()
    leave()
    const leaveSecond = await second
    expect(order).toEqual(['second'])
    leaveSecond()
    await third
    expect(order).toEqual(['second', 'third'])
  })

  test('keeps no place for who is gone', async () => {
    const own = gates()
    const leave = await own.enter('ann', { lane: 'searching' }, never)
    const gone = new AbortController()
    const waiting = own.enter('ann', { lane: 'searching' }, gone.signal)
    const next = own.enter('ann', { lane: 'searching' }, never)
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ status: 499 })
    leave()
    await next
  })
})
