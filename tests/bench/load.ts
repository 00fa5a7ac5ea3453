import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { serviceOfMany } from '../fixtures/service-of-many.ts'
import { call, createServers, startBench, type Bench } from './panel.ts'
import { median, type Figure, type Outcome } from './table.ts'

const RUNS = 5
const SERVERS = 30
/** Pairs of a crowd and a few. */
const MANY_RUNS = 7
/** Services of the crowd. */
const CONNECTIONS = 10
/** Entries of the list that are seen at once in the window that is measured. */
const SEEN = 24
/** Entries of the list of servers. */
const ENTRIES = 'nav[aria-label="Servers"] [data-server], nav[aria-label="Servers"] a[href*="/s/"]'

interface Load {
  /** From navigation until the list is drawn, in ms. */
  usable: number
  /** Scripts loaded by then and shortly after, gzip, in bytes. */
  script: number
  /** Used heap after a forced collection, in bytes. */
  heap: number
}

declare global {
  interface Window {
    usable?: number
  }
}

/** How long a browser that has never been here takes to the list of 30 servers, and what that costs. */
export async function benchLoad(bench: Bench): Promise<Outcome> {
  const first = await bench.context.newPage()
  await first.goto(bench.address)
  await first.waitForFunction(() => 'panel' in window)
  const have = await first.locator(ENTRIES).count()
  await createServers(first, Math.max(0, SERVERS - have))
  await first.waitForFunction(([entries, count]) => document.querySelectorAll(entries).length >= count, [
    ENTRIES,
    SERVERS,
  ] as const)
  await first.close()

  const bare = await bareList()
  const loads: Load[] = []
  const limits: number[] = []
  for (let at = 0; at <= RUNS; at++) {
    const load = await inNewContext(bench, (page) => measure(page, bench.address))
    const limit = await inNewContext(bench, (page) => toList(page, bare.address))
    process.stderr.write(
      `  list after ${load.usable.toFixed(0)} ms (a bare list ${limit.toFixed(0)} ms), heap ${(load.heap / 1e6).toFixed(1)} MB\n`,
    )
    if (at === 0) continue
    loads.push(load)
    limits.push(limit)
  }
  bare.close()
  const many = await benchMany()
  return {
    bench: 'load',
    lost: 0,
    figures: [
      {
        name: `cold load → list of ${SERVERS} servers`,
        value: median(loads.map((load) => load.usable)),
        unit: 'ms',
        limit: median(limits),
        target: 350,
        note: `runs ${loads.map((load) => load.usable.toFixed(0)).join(' ')}; limit: a bare list`,
      },
      {
        name: 'first screen, JavaScript (gzip)',
        value: median(loads.map((load) => load.script)) / 1000,
        unit: 'kB',
        target: 65,
      },
      {
        name: 'JavaScript heap on the list',
        value: median(loads.map((load) => load.heap)) / 1e6,
        unit: 'MB',
        target: 15,
        note: 'after a forced collection',
      },
      ...many,
    ],
  }
}

/**
 * A crowd beside a few, in turns: 300 servers on 10 connections, and 3 servers on one. What is shown first is as much as
 * fits, so the crowd should cost hardly more.
 */
async function benchMany(): Promise<Figure[]> {
  const crowd = await withServices(CONNECTIONS, 30)
  const few = await withServices(1, 3)
  try {
    const ratios: number[] = []
    const times: string[] = []
    let nodes = 0
    for (let at = 0; at <= MANY_RUNS; at++) {
      const one = await inNewContext(few.bench, (page) => toList(page, few.bench.address, 3))
      const all = await inNewContext(crowd.bench, async (page) => {
        const usable = await toList(page, crowd.bench.address, SEEN)
        // What cannot be seen is drawn after that; it counts too.
        await page.waitForFunction(
          (count) => document.querySelectorAll('nav [role="group"] ul').length >= count,
          CONNECTIONS,
        )
        await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
        nodes = await page.evaluate(() => document.querySelectorAll('*').length)
        return usable
      })
      process.stderr.write(
        `  3 servers after ${one.toFixed(0)} ms, 300 after ${all.toFixed(0)} ms, ${nodes} elements\n`,
      )
      if (at === 0) continue
      ratios.push(all / one)
      times.push(`${all.toFixed(0)}/${one.toFixed(0)}`)
    }
    return [
      {
        name: 'cold load, 300 servers on 10 connections ÷ 3 servers on 1',
        value: median(ratios),
        unit: '×',
        target: 1.3,
        note: `median of the pairs; ms ${times.join(' ')}`,
      },
      { name: '300 servers on 10 connections, elements', value: nodes, unit: 'nodes', target: 3000 },
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

async function inNewContext<T>(bench: Bench, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await bench.fresh()
  try {
    const page = await context.newPage()
    await calm(bench.browser)
    return await use(page)
  } finally {
    await context.close()
  }
}

/**
 * Waits until a browser that opened a window has nothing left to do for it. A new window of Chromium loads pages of its
 * own (its address bar's list) for about a second, which on two cores is not the time of any page that is measured.
 */
async function calm(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const used = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  }
  let before = await used()
  for (let calmFor = 0; calmFor < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = await used()
    calmFor = now - before < 0.01 ? calmFor + 1 : 0
    before = now
  }
  await session.detach()
}

async function measure(page: Page, address: string): Promise<Load> {
  const bodies: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    bodies.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  const usable = await toList(page, address)
  await page.waitForLoadState('networkidle')
  const script = (await Promise.all(bodies)).reduce((sum, bytes) => sum + bytes, 0)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return { usable, script, heap: usedSize }
}

/** Opens an address; answers ms from navigation until a frame that shows all entries of the list. */
async function toList(page: Page, address: string, count = SERVERS): Promise<number> {
  await page.addInitScript(
    ([entries, count]) => {
      const look = () => {
        if (document.querySelectorAll(entries).length < count) return
        seeing.disconnect()
        requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now())))
      }
      const seeing = new MutationObserver(look)
      seeing.observe(document, { childList: true, subtree: true })
    },
    [ENTRIES, count] as const,
  )
  await page.goto(address, { waitUntil: 'commit' })
  return (await page.waitForFunction(() => window.usable)).jsonValue() as Promise<number>
}

/** The raw limit: the same list as a page without a line of script. */
async function bareList(): Promise<{ address: string; close: () => void }> {
  const entries = Array.from(
    { length: SERVERS },
    (_, at) => `<li><a data-server href="#${at}">Server ${at}</a></li>`,
  )
  const html = `<!doctype html><title>List</title><nav aria-label="Servers"><ul>${entries.join('')}</ul></nav>`
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
