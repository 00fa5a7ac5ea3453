import { inTurns, ratioOf, type Rounds } from './pairs.ts'
import { VIEWPORT, type Bench } from './panel.ts'
import { openRawTerminal, rawWrite, sizeOf } from './raw-terminal.ts'
import { countLost, readTerminal } from './read-back.ts'
import type { Recording } from './recorder.ts'
import { median, percentile, type Figure, type Outcome } from './table.ts'
import { openConsole, run, type Watched } from './watched-console.ts'

const RUNS = 5
const BURST = 100_000
const RATE = 20_000
const SECONDS = 5

/** Lines at once, and lines over seconds. */
export async function benchConsole(bench: Bench): Promise<Outcome> {
  const watched = await openConsole(bench)
  const { page } = watched
  const size = await sizeOf(page)
  const raw = await openRawTerminal(bench.context)
  let lost = 0

  await run(watched, `flood ${BURST}`, BURST)
  const bursts: Recording[] = []
  let texts: string[] = []
  const rounds = await inTurns(
    '100,000 lines',
    {
      ours: async () => {
        const burst = await run(watched, `flood ${BURST}`, BURST)
        bursts.push(burst.recording)
        lost += burst.lost
        texts = burst.texts
        return burst.recording.took
      },
      limit: () => rawWrite(raw, size, texts),
    },
    ['limit'],
  )
  progress(`lost ${lost}`)
  const inTerminal = await readBack(watched, BURST)
  progress(`read back in the terminal: lost ${inTerminal}`)
  lost += inTerminal

  const rates: Recording[] = []
  for (let at = 0; at <= RUNS; at++) {
    const rate = await run(watched, `rate ${RATE} ${SECONDS}`, RATE * SECONDS)
    if (at > 0) rates.push(rate.recording)
    lost += rate.lost
    progress(
      `${RATE} lines/s: ${rate.recording.took.toFixed(0)} ms, longest task ${longest([rate.recording]).toFixed(0)} ms, ` +
        `frames p95 ${percentile(rate.recording.frames, 95).toFixed(1)} ms, lost ${rate.lost}`,
    )
  }
  const afterRate = await readBack(watched, RATE * SECONDS)
  progress(`read back in the terminal: lost ${afterRate}`)
  lost += afterRate

  return { bench: 'console', lost, figures: figuresOf({ rounds, bursts, rates, lost }) }
}

interface Measured {
  rounds: Rounds<'ours' | 'limit'>
  bursts: Recording[]
  rates: Recording[]
  lost: number
}

function figuresOf({ rounds, bursts, rates, lost }: Measured): Figure[] {
  const frames = rates.flatMap((rate) => rate.frames)
  return [
    ratioOf(rounds, 'ours', 'limit', {
      name: '100,000 lines at once ÷ xterm alone',
      target: 1.25,
      limitIs: 'the same lines in a terminal of the same size',
    }),
    {
      name: '  longest main-thread task',
      value: longest(bursts),
      unit: 'ms',
      target: 50,
      note: 'none over 50 ms counts as 50',
    },
    { name: '  lost', value: lost, unit: 'lines', target: 0, note: 'all runs, by id and in the terminal' },
    {
      name: '20,000 lines/s for 5 s: behind the server at the end',
      value: median(rates.map((rate) => rate.took)) - SECONDS * 1000,
      unit: 'ms',
    },
    {
      name: '  longest main-thread task',
      value: longest(rates),
      unit: 'ms',
      target: 100,
      note: `tasks over 50 ms: ${rates.flatMap((rate) => rate.tasks).length}`,
    },
    {
      name: '  frame interval, p95',
      value: percentile(frames, 95),
      unit: 'ms',
      target: 33,
      note: `median ${median(frames).toFixed(1)}`,
    },
  ]
}

/** Scrolls up through the newest `count` lines of the flood; answers how many are missing. Then follows again. */
async function readBack({ page }: Watched, count: number): Promise<number> {
  await page.bringToFront()
  // A tall window has the same lines on fewer screens.
  await page.setViewportSize({ width: VIEWPORT.width, height: 4000 })
  await page.waitForTimeout(300)
  const newest = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)
    return Math.max(...rows.map((row) => Number(/Line (\d+) of the flood/.exec(row)?.[1] ?? 0)))
  })
  const first = newest - count + 1
  const numbers = await readTerminal(page, first)
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.setViewportSize(VIEWPORT)
  return countLost(numbers, first, count)
}

function longest(recordings: readonly Recording[]): number {
  return Math.max(50, ...recordings.flatMap((recording) => recording.tasks))
}

function progress(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
