import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import type { Bench } from './panel.ts'
import { median, type Figure } from './table.ts'

const RUNS = 5
/** Of a folder with very many entries. */
export const ENTRIES = 20_000

declare global {
  interface Window {
    /** Ms from the click until a frame that shows the folder's rows. */
    shownAfter: Promise<number>
  }
}

/** How long a folder with very many entries takes from the click until it is shown, and what that costs the page. */
export async function measureCrowd(bench: Bench, server: ServerRef, folder: string): Promise<Figure[]> {
  const names = Array.from({ length: RUNS + 1 }, (_, at) => `crowd ${at}`)
  for (const name of names) await makeCrowd(join(folder, name))
  const took: number[] = []
  const limits: number[] = []
  const nodes: number[] = []
  const heaps: number[] = []
  const page = await bench.context.newPage()
  const session = await page.context().newCDPSession(page)
  for (const [at, name] of names.entries()) {
    await page.goto(`${bench.address}#/c/${server.connectionId}/s/${server.serverId}/files`)
    await page.reload()
    const row = page.getByRole('row', { name })
    await row.click()
    await page.evaluate((entries) => {
      window.shownAfter = new Promise((resolve) => {
        let began = Infinity
        // The second click of a double click is what opens.
        addEventListener('dblclick', () => (began = performance.now()), { capture: true, once: true })
        const seeing = new MutationObserver(() => {
          const grid = document.querySelector(`[role=grid][aria-rowcount="${entries + 1}"]`)
          if (began === Infinity || !grid?.querySelector('[data-row]')) return
          seeing.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
        })
        seeing.observe(document, { childList: true, subtree: true, attributes: true })
      })
    }, ENTRIES)
    await row.dblclick()
    const ms = await page.evaluate(() => window.shownAfter)
    const count = await page.evaluate(() => document.querySelectorAll('*').length)
    await session.send('HeapProfiler.enable')
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const began = performance.now()
    const listed = await readdir(join(folder, name), { withFileTypes: true })
    const limit = performance.now() - began
    if (listed.length !== ENTRIES) throw new Error(`${name} holds ${listed.length} entries.`)
    process.stderr.write(
      `  20,000 entries: ${ms.toFixed(0)} ms, bare readdir ${limit.toFixed(0)} ms, ${count} nodes, heap ${(usedSize / 1e6).toFixed(1)} MB\n`,
    )
    if (at === 0) continue
    took.push(ms)
    limits.push(limit)
    nodes.push(count)
    heaps.push(usedSize)
  }
  await page.close()
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
  const runs = took.map((ms) => ms.toFixed(0)).join(' ')
  return [
    {
      name: 'folder of 20,000 entries, click → shown',
      value: median(took),
      unit: 'ms',
      limit: median(limits),
      target: 300,
      note: `runs ${runs}; each folder for the first time; limit: a bare readdir`,
    },
    { name: 'folder of 20,000 entries, elements', value: Math.max(...nodes), unit: 'nodes', target: 3000 },
    {
      name: 'folder of 20,000 entries, JavaScript heap',
      value: median(heaps) / 1e6,
      unit: 'MB',
      target: 40,
      note: 'after a forced collection',
    },
  ]
}

/** Makes a folder with very many small files. */
export async function makeCrowd(folder: string): Promise<void> {
  await mkdir(folder)
  const each = 100
  for (let at = 0; at < ENTRIES; at += each)
    await Promise.all(
      Array.from({ length: each }, (_, one) => writeFile(join(folder, `chunk.${at + one}.mca`), 'x')),
    )
}
