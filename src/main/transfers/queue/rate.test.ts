import { describe, expect, it } from 'vitest'
import { Limiter } from './limiter.ts'
import { Rate } from './in-flight.ts'

describe('the rate', () => {
  it('is nothing before anything moved', () => {
    const rate = new Rate()
    expect(rate.read(0)).toBeNull()
    rate.begin(0)
    expect(rate.read(1000)).toBeNull()
  })

  it('is that of the last five seconds', () => {
    const rate = new Rate()
    rate.begin(0)
    for (let second = 1; second <= 10; second++) rate.add(1000, second * 1000)
    expect(rate.read(10_000)).toBe(1000)
    for (let second = 11; second <= 20; second++) rate.add(3000, second * 1000)
    expect(rate.read(20_000)).toBe(3000)
  })

  it('falls where nothing more is confirmed', () => {
    const rate = new Rate()
    rate.begin(0)
    rate.add(10_000, 1000)
    const readings = [1000, 2000, 4000, 7000].map((now) => rate.read(now))
    expect(readings).toEqual([10_000, 5000, 2500, null])
  })
})

describe('a limit', () => {
  it('holds all that moves together to its bytes per second', async () => {
    let now = 0
    const limiter = new Limiter({
      elapsed: () => now,
      sleep: async (ms) => {
        const until = now + ms
        await Promise.resolve()
        now = Math.max(now, until)
      },
    })
    limiter.limit = 1000
    async function* bytes() {
      for (let at = 0; at < 10; at++) yield new Uint8Array(500)
    }
    let through = 0
    const read = async () => {
      for await (const piece of limiter.pace(bytes())) through += piece.length
    }
    await Promise.all([read(), read()])
    expect(through).toBe(10_000)
    expect(now).toBeGreaterThanOrEqual(9700)
    expect(now).toBeLessThanOrEqual(10_000)
  })
})
