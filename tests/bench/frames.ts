import type { Page } from '@playwright/test'
import { percentile, type Figure } from './table.ts'

declare global {
  interface Window {
    frameTimes?: number[]
  }
}

/** Has a page note the time between its frames, in ms. */
export async function addFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    let last = 0
    const frame = (now: number) => {
      if (last > 0) window.frameTimes?.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

/** The time between the frames of a page while something is done there, in ms. */
export async function framesOf(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => void (window.frameTimes = []))
  await work()
  return page.evaluate(() => window.frameTimes ?? [])
}

/** The interval of most frames; what it says of the others is its note. */
export const framesFigure = (what: string, frames: readonly number[], target = 33): Figure => ({
  name: `${what}: frame interval, p95`,
  ...{ value: percentile(frames, 95), unit: 'ms', target },
  note: `${frames.length} frames, median ${percentile(frames, 50).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(0)} ms`,
})
