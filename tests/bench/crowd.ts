import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import type { BareServer } from './bare.ts'
import { inTurns, LEAST_ROUNDS, ratioOf } from './pairs.ts'
import type { Bench } from './panel.ts'
import { median, type Figure } from './table.ts'

/** Folders that are opened for the first time: more than a calm machine needs. */
const FOLDERS = 2 * LEAST_ROUNDS
/** Of a folder with very many entries. */
export const ENTRIES = 20_000

declare global {
  interface Window {
    /** Ms from the click until a frame that shows the folder's rows. */
    shownAfter: Promise<number>
  }
}

/** How long a folder with very many entries takes from the click until it is shown, and what that costs the page. */
export async function measureCrowd(
  bench: Bench,
  server: ServerRef,
  folder: string,
  bare: BareServer,
): Promise<Figure[]> {
  const names = Array.from({ length: FOLDERS }, (_, at) => `crowd ${String(at).padStart(2, '0')}`)
  for (const name of names) await makeCrowd(join(folder, name))
  const nodes: number[] = []
  const heaps: number[] = []
  const page = await bench.context.newPage()
  const barePage = await bench.context.newPage()
  const session = await page.context().newCDPSession(page)
  let at = 0
  const rounds = await inTurns(
    'folder of 20,000',
    {
      limit: async () => {
        await barePage.bringToFront()
        return bare.list(barePage, join(folder, names[at]!))
      },
      ours: async () => {
        await page.bringToFront()
        await page.goto(`${bench.address}#/c/${server.connectionId}/s/${server.serverId}/files`)
        await page.reload()
        const took = await clickToRows(page, names[at++]!)
        nodes.push(await page.evaluate(() => document.querySelectorAll('*').length))
        heaps.push(await heapOf(session))
        return took
      },
    },
    ['limit'],
    { most: FOLDERS - 1 },
  )
  await page.close()
  await barePage.close()
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
  return [
    ratioOf(rounds, 'ours', 'limit', {
      name: 'folder of 20,000 entries, click → shown ÷ bare page',
      target: 2,
      limitIs:
        'a page that asks for the same entries, sorts and shows as many rows; each folder for the first time',
    }),
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

/** Opens a folder by a double click; answers ms from it until a frame that shows rows. */
async function clickToRows(page: Page, name: string): Promise<number> {
  const row = page.getByRole('row', { name, exact: false }).first()
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
  return page.evaluate(() => window.shownAfter)
}

/** Used heap of a page after a forced collection, in bytes. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
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
