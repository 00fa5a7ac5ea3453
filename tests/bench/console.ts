import type { Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { createServers, startServer, VIEWPORT, type Bench } from './panel.ts'
import { openRawTerminal, rawWrite, sizeOf } from './raw-terminal.ts'
import { countLost, floodNumber, readLines, readTerminal } from './read-back.ts'
import { addRecorder, type Recording } from './recorder.ts'
import { median, percentile, type Outcome } from './table.ts'

const RUNS = 5
const BURST = 100_000
const RATE = 20_000
const SECONDS = 5
const COMMANDS = 100

/** A console of a running flood server, in a page. */
export interface Watched {
  page: Page
  server: ServerRef
  epoch: string
}

/** Lines at once, lines over seconds, and how long a command takes to be seen. */
export async function benchConsole(bench: Bench): Promise<Outcome> {
  const watched = await openConsole(bench)
  const { page } = watched
  const size = await sizeOf(page)
  const raw = await openRawTerminal(bench.context)
  let lost = 0

  await run(watched, `flood ${BURST}`, BURST)
  const bursts: Recording[] = []
  const limits: number[] = []
  for (let at = 0; at <= RUNS; at++) {
    const burst = await run(watched, `flood ${BURST}`, BURST)
    if (at > 0) bursts.push(burst.recording)
    lost += burst.lost
    const limit = await rawWrite(raw, size, burst.texts)
    if (at > 0) limits.push(limit)
    progress(
      `100,000 lines: ${burst.recording.took.toFixed(0)} ms, xterm alone ${limit.toFixed(0)} ms, lost ${burst.lost}`,
    )
  }
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

  const waits: number[] = []
  for (let at = -10; at < COMMANDS; at++) {
    const { recording } = await run(watched, `say ${at + 11}`, 1)
    if (at >= 0) waits.push(recording.took)
    await page.waitForTimeout(60)
  }
  return { bench: 'console', lost, figures: figuresOf({ bursts, limits, rates, waits, lost }) }
}

interface Measured {
  bursts: Recording[]
  /** What xterm alone took for the same lines, in milliseconds. */
  limits: number[]
  rates: Recording[]
  /** From Enter to the line in the terminal, in milliseconds. */
  waits: number[]
  lost: number
}

function figuresOf({ bursts, limits, rates, waits, lost }: Measured): Outcome['figures'] {
  const frames = rates.flatMap((rate) => rate.frames)
  const burstTime = median(bursts.map((burst) => burst.took))
  const limit = median(limits)
  return [
    {
      name: '100,000 lines at once',
      value: burstTime,
      unit: 'ms',
      limit,
      target: 2 * limit,
      note: `runs ${list(bursts.map((burst) => burst.took))}; xterm alone ${list(limits)}`,
    },
    {
      name: '  longest main-thread task',
      value: longest(bursts),
      unit: 'ms',
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
    {
      name: 'Enter → line in the terminal, median',
      value: median(waits),
      unit: 'ms',
      target: 10,
      note: `${COMMANDS} commands`,
    },
    { name: 'Enter → line in the terminal, p95', value: percentile(waits, 95), unit: 'ms', target: 20 },
  ]
}

/** Shows the console of a new flood server, which is online. */
export async function openConsole(bench: Bench): Promise<Watched> {
  const page = await bench.context.newPage()
  await addRecorder(page)
  await page.goto(bench.address)
  const { connectionId, serverIds } = await createServers(page, 1)
  const server = { connectionId, serverId: serverIds[0]! }
  await startServer(page, server.connectionId, server.serverId)
  await page.goto(`${bench.address}#/c/${connectionId}/s/${server.serverId}/console`)
  await page.locator('.xterm-rows').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.waitForFunction(() => window.recorder.last > 0)
  const epoch = await page.evaluate(
    async ([server]) => {
      const outcome = await window.panel.call('console.watch', { ...server, limit: 1 })
      const piece = outcome.ok ? outcome.value.pieces.at(-1) : undefined
      return piece?.kind === 'lines' ? piece.batch.epoch : ''
    },
    [server] as const,
  )
  return { page, server, epoch }
}

/**
 * Sends a command by the keyboard and records until the terminal has taken in what it prints: the command's own line,
 * then `count` lines. Afterwards every line is read back by its id.
 */
export async function run(
  { page, server, epoch }: Watched,
  command: string,
  count: number,
): Promise<{ recording: Recording; lost: number; texts: string[] }> {
  await page.bringToFront()
  const field = page.getByLabel('Command')
  await field.fill(command)
  const before = await quiet(page)
  const last = before + 1 + count
  await page.evaluate((last) => window.recorder.begin(last), last)
  await field.press('Enter')
  const recording = await page.evaluate(() => window.recorder.done())
  if (count === 1) return { recording, lost: 0, texts: [] }
  await quiet(page)
  const lines = await readLines(page, server, epoch, before, last)
  const numbers = lines.map((line) => floodNumber(line.text)).filter((number) => number !== null)
  // The number before the first is that of the run before, or none.
  const first = lines.length > 0 && numbers.length > 0 ? numbers[0]! : 1
  const expected = first % count === 1 || count === 1 ? first : first - ((first - 1) % count)
  return { recording, lost: countLost(numbers, expected, count), texts: lines.map((line) => line.text) }
}

/** Waits until no line has come for a moment; answers the number of the newest. */
async function quiet(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let last = -1; last !== window.recorder.last;) {
      last = window.recorder.last
      await new Promise((done) => setTimeout(done, 250))
    }
    return window.recorder.last
  })
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

function list(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(' ')
}

function progress(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
