import { serviceOfMany } from '../fixtures/service-of-many.ts'
import { ENTRIES, inNewContext, measureLoad } from './cold-page.ts'
import { heldBytes } from './memory.ts'
import { call, startBench } from './panel.ts'
import { median, percentile, type Figure } from './table.ts'

/** Pairs of a crowd and a few: so many at least, and more while they disagree, as where others use the machine too. */
const RUNS = 7
const RUNS_MOST = 15
/** Between the quarters of the pairs' ratios. Beyond it a median of a few pairs says little. */
const SPREAD = 0.25
/** Services of the crowd. */
const CONNECTIONS = 10
/** Entries of the list that are seen at once in the window that is measured. */
const SEEN = 24
/** What the panel's process may hold with 300 servers, in parts of what it holds with 3. */
const MEMORY_TARGET = 1.3

/** Two benches tell these figures; they are measured once in a run. */
let measured: Promise<Figure[]> | null = null
export const benchManyServers = (): Promise<Figure[]> => (measured ??= benchMany())

/**
 * A crowd beside a few, in turns: 300 servers on 10 connections, and 3 servers on one. What is shown first is as much as
 * fits, so the crowd should cost hardly more.
 */
async function benchMany(): Promise<Figure[]> {
  const crowd = await withServices(CONNECTIONS, 30)
  const few = await withServices(1, 3)
  try {
    const ratios: number[] = []
    const pairs: { one: number; all: number }[] = []
    let nodes = 0
    const loadFew = () =>
      inNewContext(few.bench, async (page) => (await measureLoad(page, few.bench.address, 3)).usable)
    const loadCrowd = () =>
      inNewContext(crowd.bench, async (page) => {
        const { usable } = await measureLoad(page, crowd.bench.address, SEEN)
        // What cannot be seen is drawn after that; it counts too.
        await page.waitForFunction(
          (count) => document.querySelectorAll('nav [role="group"] ul').length >= count,
          CONNECTIONS,
        )
        await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
        nodes = await page.evaluate(() => document.querySelectorAll('*').length)
        return usable
      })
    for (let at = 0; at <= RUNS_MOST; at++) {
      if (at > RUNS && percentile(ratios, 75) - percentile(ratios, 25) <= SPREAD) break
      // Each goes first as often as the other: what a machine does changes from second to second.
      const before = at % 2 === 0 ? await loadFew() : null
      const all = await loadCrowd()
      const one = before ?? (await loadFew())
      process.stderr.write(
        `  3 servers after ${one.toFixed(0)} ms, 300 after ${all.toFixed(0)} ms, ${nodes} elements\n`,
      )
      if (at === 0) continue
      ratios.push(all / one)
      pairs.push({ one, all })
    }
    const middle = (which: 'one' | 'all') => median(pairs.map((pair) => pair[which])).toFixed(0)
    const runs = pairs.map(({ one, all }) => `${all.toFixed(0)}/${one.toFixed(0)}`).join(' ')
    const [main, mainOfFew] = [await heldBytes(crowd.bench.pid), await heldBytes(few.bench.pid)]
    return [
      {
        name: 'cold load, 300 servers on 10 connections ÷ 3 servers on 1',
        value: median(ratios),
        unit: '×',
        target: 1.3,
        note: `median of ${pairs.length} pairs; medians ${middle('all')}/${middle('one')} ms; ms ${runs}`,
      },
      { name: '300 servers on 10 connections, elements', value: nodes, unit: 'nodes', target: 3000 },
      {
        name: 'memory of main, 300 servers on 10 connections',
        ...{ value: main.pss / 1e6, unit: 'MB', limit: mainOfFew.pss / 1e6 },
        ...{ target: (mainOfFew.pss / 1e6) * MEMORY_TARGET },
        note: `limit: with 3 servers on 1; resident ${(main.rss / 1e6).toFixed(0)} MB`,
      },
    ]
  } finally {
    await crowd.close()
    await few.close()
  }
}

/** A panel of its own that is signed in to so many services, and has their lists in its cache. */
async function withServices(count: number, servers: number) {
  const services = await Promise.all(Array.from({ length: count }, (_, at) => serviceOfMany(at, servers)))
  const bench = await startBench()
  const page = await bench.context.newPage()
  await page.goto(bench.address)
  await page.waitForFunction(() => 'panel' in window)
  for (const { baseUrl } of services) await call(page, 'connections.use-token', { baseUrl, token: 'a-token' })
  await page.waitForFunction(([entries, count]) => document.querySelectorAll(entries).length >= count, [
    ENTRIES,
    Math.min(SEEN, count * servers),
  ] as const)
  await page.close()
  return {
    bench,
    async close() {
      await bench.close()
      for (const service of services) await service.close()
    },
  }
}
