import { expect, it } from 'vitest'
import { DrawingPace } from './drawing-pace.ts'

/** Draws for a while, with lines that come evenly and frames that come so late behind each drawing. Answers the drawings. */
function drawings(
  pace: DrawingPace,
  { from = 0, ms = 4000, lines: perMs, late }: { from?: number; ms?: number; lines: number; late: number },
): number {
  let drawn = 0
  let frameAt = Infinity
  for (let now = from; now < from + ms; now++) {
    if (now >= frameAt) {
      pace.nextFrame(now)
      frameAt = Infinity
    }
    if (frameAt < Infinity || pace.wait(now, Math.floor(now * perMs)) > 0) continue
    drawn += 1
    frameAt = now + late
  }
  return drawn
}

it('draws with each frame while lines can be read, however late frames are', () => {
  expect(drawings(new DrawingPace(), { lines: 0.1, late: 16 })).toBe(250)
  expect(drawings(new DrawingPace(), { lines: 0.1, late: 40 })).toBe(100)
})

it('draws two thousand lines a second with each frame where frames come in time', () => {
  expect(drawings(new DrawingPace(), { lines: 2, late: 16 })).toBe(250)
})

it('draws lines that rush by less often', () => {
  expect(drawings(new DrawingPace(), { lines: 100, late: 16 })).toBeLessThanOrEqual(4000 / 45 + 1)
})

it('draws less and less often where the frame behind a drawing is late, and at least four times a second', () => {
  const drawn = drawings(new DrawingPace(), { lines: 2, late: 60 })
  expect(drawn).toBeLessThan(25)
  expect(drawn).toBeGreaterThanOrEqual(4000 / 250)
})

it('draws more often again once frames come in time, and at once after a quiet while', () => {
  const pace = new DrawingPace()
  drawings(pace, { lines: 2, late: 60 })
  const later = drawings(pace, { from: 4000, ms: 8000, lines: 2, late: 16 })
  expect(later).toBeGreaterThan(100)
  drawings(pace, { from: 12_000, lines: 2, late: 60 })
  expect(drawings(pace, { from: 18_000, ms: 1000, lines: 2, late: 16 })).toBeGreaterThan(55)
})

it('says how long what came is not drawn, and draws it then', () => {
  const pace = new DrawingPace()
  expect(pace.wait(1000, 500)).toBe(0)
  pace.nextFrame(1060)
  expect(pace.wait(1060, 700)).toBe(30)
  expect(pace.wait(1090, 700)).toBe(0)
})

it('learns nothing from a page that nobody saw', () => {
  const pace = new DrawingPace()
  expect(pace.wait(0, 1)).toBe(0)
  pace.nextFrame(60_000)
  expect(pace.wait(60_001, 2)).toBe(0)
  expect(pace.wait(60_020, 40)).toBe(0)
})
