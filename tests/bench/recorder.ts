import type { Page } from '@playwright/test'

/** What a page has noted between `begin` and `end`. Times in ms. */
export interface Recording {
  /** From Enter (or from `begin` where none was pressed) until the terminal had taken in the wanted line. */
  took: number
  /** Main-thread tasks over 50 ms; shorter ones the browser does not tell of. */
  tasks: number[]
  /** Time between two frames. */
  frames: number[]
  /** Lines the terminal was given in chunks, by the last line of each: how often it was told of new lines. */
  chunks: number
}

interface Recorder {
  /** @param frames whether each frame is noted; asking for them makes the browser draw */
  begin(wanted: number, frames: boolean): void
  done(): Promise<Recording>
  last: number
}
declare global {
  interface Window {
    recorder: Recorder
  }
}

/** Puts a recorder into a page. It listens to the event with which the console tells what its terminal has taken in. */
export async function addRecorder(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let start = 0
    let wanted = Infinity
    let chunks = 0
    let tasks: number[] = []
    let frames: number[] = []
    let finish: (recording: Recording) => void = () => undefined
    let finished = Promise.resolve<Recording>({ took: 0, tasks, frames, chunks })
    let lastFrame = 0
    let running = false

    const frame = (now: number) => {
      if (!running) return
      if (lastFrame > 0) frames.push(now - lastFrame)
      lastFrame = now
      requestAnimationFrame(frame)
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (running || entry.startTime >= start) tasks.push(entry.duration)
    }).observe({ type: 'longtask' })
    addEventListener('keydown', (event) => event.key === 'Enter' && running && (start = performance.now()), {
      capture: true,
    })
    addEventListener('console-written', (event) => {
      const { seq } = (event as CustomEvent<{ seq: number }>).detail
      window.recorder.last = seq
      chunks += 1
      if (seq < wanted) return
      wanted = Infinity
      const took = performance.now() - start
      // One more frame, and the observer's turn, so that the task that took in the last lines counts too.
      requestAnimationFrame(() =>
        setTimeout(() => {
          running = false
          finish({ took, tasks, frames, chunks })
        }, 50),
      )
    })
    window.recorder = {
      last: 0,
      begin(seq, withFrames) {
        wanted = seq
        chunks = 0
        tasks = []
        frames = []
        lastFrame = 0
        running = true
        start = performance.now()
        finished = new Promise((resolve) => (finish = resolve))
        if (withFrames) requestAnimationFrame(frame)
      },
      done: () => finished,
    }
  })
}
