import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { ENTRIES, inNewContext, measureLoad } from './cold-page.ts'
import { heldBytes } from './memory.ts'
import { call, startBench } from './panel.ts'
import { inTurns, ratioOf } from './pairs.ts'
import type { Figure } from './table.ts'

/** Services of the crowd. */
const CONNECTIONS = 10
/** Entries of the list that are seen at once in the window that is measured. */
const SEEN = 24
/** What the panel's process may hold with 300 servers, in parts of what it holds with 3. */
const MEMORY_TARGET = 1.3

/**
 * A crowd beside a few, in turns: 300 servers on 10 connections, and 3 servers on one. What is shown first is as much as
 * fits, so the crowd should cost hardly more.
 */
export async function benchManyServers(): Promise<Figure[]> {
  const crowd = await withServices(CONNECTIONS, 30)
  const few = await withServices(1, 3)
  try {
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
    const rounds = await inTurns('cold load of 3 and 300', { few: loadFew, crowd: loadCrowd }, ['few'])
    const [main, mainOfFew] = [await heldBytes(crowd.bench.pid), await heldBytes(few.bench.pid)]
    return [
      ratioOf(rounds, 'crowd', 'few', {
        name: 'cold load, 300 servers on 10 connections ÷ 3 servers on 1',
        target: 1.15,
        limitIs: 'this panel with 3 servers',
      }),
      { name: '300 servers on 10 connections, elements', value: nodes, unit: 'nodes', target: 3000 },
      {
        name: 'memory of main, 300 servers on 10 connections ÷ 3 servers on 1',
        ...{ value: main.pss / mainOfFew.pss, unit: '×', target: MEMORY_TARGET },
        note: `${(main.pss / 1e6).toFixed(0)} MB, with 3 servers ${(mainOfFew.pss / 1e6).toFixed(0)} MB`,
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
