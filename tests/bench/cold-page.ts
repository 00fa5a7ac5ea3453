import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import type { Bench } from './panel.ts'
import { median, type Figure } from './table.ts'

/** Entries of the list of servers. */
export const ENTRIES = 'nav[aria-label="Servers"] [data-server], nav[aria-label="Servers"] a[href*="/s/"]'

/** What a browser that has never been here costs and takes. */
export interface Load {
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

/** What the first screen loads. */
export const firstScreen = (loads: readonly Load[]): Figure => ({
  name: 'first screen, JavaScript (gzip)',
  value: median(loads.map((load) => load.script)) / 1000,
  unit: 'kB',
  target: 70,
})

/** Does something in a page of a browser that has never been here, once that is calm. */
export async function inNewContext<T>(bench: Bench, use: (page: Page) => Promise<T>): Promise<T> {
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

/** Opens an address; answers what it takes until `count` servers are listed. */
export async function measureLoad(page: Page, address: string, count: number): Promise<Load> {
  const bodies: Promise<number>[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script') bodies.push(response.body().then((code) => gzipSync(code, { level: 9 }).length))
  })
  // A pointer that nobody moved rests in the corner, over the list: it would load what touching the list loads.
  await page.addInitScript(() => {
    const unmoved = (event: Event) => event.stopImmediatePropagation()
    addEventListener('pointerenter', unmoved, { capture: true })
  })
  const usable = await toList(page, address, count)
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
export async function toList(page: Page, address: string, count: number): Promise<number> {
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
