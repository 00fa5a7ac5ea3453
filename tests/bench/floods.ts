import { cpuSeconds } from './cpu.ts'
import { childRunning } from './memory.ts'
import type { Bench } from './panel.ts'
import { percentile, type Figure, type Outcome } from './table.ts'
import { openConsole, run, type Watched } from './watched-console.ts'

const FLOOD = { rate: 100_000, seconds: 10 }
const MANY = { consoles: 12, rate: 2000, seconds: 10 }

interface Part {
  figures: Figure[]
  lost: number
}

/** Floods that last: one console, and many at once. Each is measured once. */
export async function benchFloods(bench: Bench): Promise<Outcome> {
  const flood = await longFlood(bench)
  const many = await manyConsoles(bench)
  return {
    bench: 'floods',
    lost: flood.lost + many.lost,
    figures: [...flood.figures, ...many.figures],
  }
}

async function longFlood(bench: Bench): Promise<Part> {
  const watched = await openConsole(bench)
  const service = await childRunning(bench.pid, 'service.js')
  const { rate, seconds } = FLOOD
  const usedSoFar = () => Promise.all([cpuSeconds(bench.pid), cpuSeconds(service)])
  const before = await usedSoFar()
  let used = before
  const { recording, lost } = await run(watched, `rate ${rate} ${seconds}`, rate * seconds, async () => {
    used = await usedSoFar()
  })
  const [main, served] = used.map((now, at) => ((now - before[at]!) / (recording.took / 1000)) * 100)
  await watched.page.close()
  const what = '100,000 lines/s for 10 s'
  return {
    lost,
    figures: [
      lostFigure(what, lost),
      framesFigure(what, recording.frames),
      { name: `${what}: CPU of the service`, value: served!, unit: '%', target: 100 },
      { name: `${what}: CPU of main`, value: main!, unit: '%', target: 50 },
      { name: `${what}: behind the server at the end`, value: recording.took - seconds * 1000, unit: 'ms' },
    ],
  }
}

/** Twelve windows, each with a console: what is in front draws, and none loses a line. */
async function manyConsoles(bench: Bench): Promise<Part> {
  const { consoles, rate, seconds } = MANY
  const watched: Watched[] = []
  for (let at = 0; at < consoles; at++) watched.push(await openConsole(bench))
  const runs = await Promise.all(watched.map((one) => run(one, `rate ${rate} ${seconds}`, rate * seconds)))
  const lost = runs.reduce((sum, one) => sum + one.lost, 0)
  for (const { page } of watched) await page.close()
  const what = `${consoles} consoles at ${rate} lines/s`
  return { lost, figures: [lostFigure(what, lost), framesFigure(what, runs.at(-1)!.recording.frames)] }
}

/** The interval of most frames; what it says of the others is its note. */
const framesFigure = (what: string, frames: readonly number[]): Figure => ({
  name: `${what}: frame interval, p95`,
  ...{ value: percentile(frames, 95), unit: 'ms', target: 33 },
  note: `${frames.length} frames, median ${percentile(frames, 50).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(0)} ms`,
})

const lostFigure = (what: string, lost: number): Figure => ({
  name: `${what}: lost`,
  ...{ value: lost, unit: 'lines', target: 0 },
})
