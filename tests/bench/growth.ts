import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { PathPanel } from './by-path.ts'
import { addFrames, framesFigure, framesOf } from './frames.ts'
import { watchMemory } from './memory.ts'
import { createServers, type Bench } from './panel.ts'
import type { Figure, Outcome } from './table.ts'

/** A frame at 60 a second, and a tenth for the clock, in ms. */
const FRAME = 1000 / 60 + 1.7
const FILES = [20_000, 200_000] as const
const PER_FOLDER = 1000
const ENTRIES = 100_000
const FILE_BYTES = 200

interface Part {
  figures: Figure[]
  lost: number
}

/** What grows: a very large folder, very many files. Each is measured once. */
export async function benchGrowth(bench: Bench): Promise<Outcome> {
  const crowd = await largeFolder(bench)
  const files = await manyFiles()
  const parts = [crowd, files]
  return {
    bench: 'growth',
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    figures: parts.flatMap(({ figures }) => figures),
  }
}

async function largeFolder(bench: Bench): Promise<Part> {
  const page = await bench.context.newPage()
  await page.goto(bench.address)
  await page.waitForFunction(() => 'panel' in window)
  const { connectionId, serverIds } = await createServers(page, 1)
  const server: ServerRef = { connectionId, serverId: serverIds[0]! }
  const folder = join(bench.data, 'service/servers', server.serverId, 'many')
  await fill(folder, ENTRIES)
  const began = performance.now()
  await page.goto(`${bench.address}#/c/${connectionId}/s/${server.serverId}/files?path=many`)
  await page
    .locator(`[role=grid][aria-rowcount="${ENTRIES + 1}"] [data-row]`)
    .first()
    .waitFor()
  const listed = performance.now() - began
  await addFrames(page)
  const grid = page.locator('[role=grid]')
  await grid.hover()
  const scrolled = await framesOf(page, async () => {
    for (let at = 0; at < 120; at++) await page.mouse.wheel(0, 2000)
  })
  const filter = page.getByRole('searchbox').or(page.getByLabel('Filter')).first()
  await filter.click()
  const filtered = await framesOf(page, async () => {
    await page.keyboard.type('file 9999', { delay: 60 })
  })
  await page.close()
  return {
    lost: 0,
    figures: [
      { name: 'folder of 100,000 entries: listed', value: listed, unit: 'ms' },
      framesFigure('folder of 100,000 entries, scrolled', scrolled, FRAME),
      framesFigure('folder of 100,000 entries, filtered', filtered, FRAME),
    ],
  }
}

/** Through main's queue: ten times as many files should take ten times as long. */
async function manyFiles(): Promise<Part> {
  const queue = await PathPanel.start()
  const place = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-growth-'))
  const each: number[] = []
  const peaks: number[] = []
  let lost = 0
  try {
    for (const count of FILES) {
      const from = join(place, String(count))
      for (let at = 0; at < count; at += PER_FOLDER) await fill(join(from, String(at)), PER_FOLDER)
      let took = 0
      const { peak } = await watchMemory(queue.pid, async () => {
        const done = await queue.upload([{ path: String(count), file: from }])
        took = done.took
        lost += done.transfer.filesFailed + count - done.transfer.filesDone
      })
      process.stderr.write(`  ${count} files: ${(took / 1000).toFixed(1)} s, ${(peak / 1e6).toFixed(0)} MB\n`)
      each.push(took / count)
      peaks.push(peak)
    }
  } finally {
    await queue.close()
    await rm(place, { recursive: true, force: true })
  }
  return {
    lost,
    figures: [
      { name: '200,000 small files ÷ 20,000, each', value: each[1]! / each[0]!, unit: '×', target: 1.15 },
      { name: '200,000 small files: not there', value: lost, unit: 'files', target: 0 },
      { name: "200,000 small files: main's memory", value: peaks[1]! / 1e6, unit: 'MB', target: 150 },
    ],
  }
}

/** Fills a folder with so many small files. */
async function fill(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const body = Buffer.alloc(FILE_BYTES, 'x')
  const each = 200
  for (let at = 0; at < count; at += each)
    await Promise.all(
      Array.from({ length: Math.min(each, count - at) }, (_, one) =>
        writeFile(join(folder, `file ${at + one}.dat`), body),
      ),
    )
}
