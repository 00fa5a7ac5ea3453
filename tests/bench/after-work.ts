import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { Chance } from '../faults/chance.ts'
import { PathPanel } from './by-path.ts'
import { openConsole, run, type Watched } from './watched-console.ts'
import { ENTRIES, makeCrowd } from './crowd.ts'
import { FilesPage } from './files-page.ts'
import { countLost, LARGE_BYTES, makeSmall, one } from './files.ts'
import { childRunning, heldBytes, type Held } from './memory.ts'
import type { Bench } from './panel.ts'
import type { Figure, Outcome } from './table.ts'

const FLOODS = 5
const FLOOD_LINES = 100_000
const UPLOADS = 3
/** After the start, and after the work, in milliseconds. */
const SETTLE = 10_000
const REST = 60_000
const MOST = 1.2

/** A panel and the service it started. */
interface Pair {
  way: string
  panel: number
  service: number
}
type Sizes = Record<'panel' | 'service' | 'together', Held>

/** What panel and service hold a minute after hard work, beside what they held when they were fresh. */
export async function benchAfterWork(bench: Bench): Promise<Outcome> {
  const place = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-memory-'))
  const queue = await PathPanel.start()
  try {
    const watched = await openConsole(bench)
    const files = await FilesPage.open(bench, watched.server)
    const pairs = [await pairOf("browser's page", bench.pid), await pairOf("main's queue", queue.pid)]
    await pause(SETTLE)
    const fresh = await sizesOf(pairs)
    say('fresh', fresh)
    const lost = await workHard({ bench, place, queue, watched, files })
    const worked = await sizesOf(pairs)
    say('after the work', worked)
    await pause(REST)
    const rested = await sizesOf(pairs)
    say('a minute later', rested)
    const figures = pairs.flatMap(({ way }, at) => ratios(way, fresh[at]!, worked[at]!, rested[at]!))
    return { bench: 'memory', lost, figures }
  } finally {
    await queue.close()
    await rm(place, { recursive: true, force: true })
  }
}

interface Setting {
  bench: Bench
  /** Where files lie that are sent. */
  place: string
  queue: PathPanel
  watched: Watched
  files: FilesPage
}

/** Floods, large files, many small ones and a large folder, on both ways in where they differ; answers what was lost. */
async function workHard({ bench, place, queue, watched, files }: Setting): Promise<number> {
  const chance = new Chance(3, 'bench')
  const { server } = watched
  const folder = join(bench.data, 'service/servers', server.serverId)
  let lost = 0
  for (let at = 0; at < FLOODS; at++) lost += (await run(watched, `flood ${FLOOD_LINES}`, FLOOD_LINES)).lost
  // Behind another page Chromium lets nobody pick a folder.
  await files.page.bringToFront()
  const name = 'large.bin'
  const large = await one(place, name, LARGE_BYTES, chance)
  const file = join(place, name)
  for (let at = 0; at < UPLOADS; at++) {
    await queue.upload([{ path: name, file }])
    lost += await countLost(queue.folder, large)
    await rm(join(queue.folder, name))
    await files.pick(file)
    lost += await countLost(folder, large)
    await rm(join(folder, name))
  }
  const small = await makeSmall(place, chance)
  const from = join(place, 'small')
  const { transfer } = await queue.upload([{ path: 'small', file: from }])
  lost += transfer.filesFailed + (await countLost(queue.folder, small))
  await files.pickFolder(from)
  lost += await countLost(folder, small)
  await makeCrowd(join(folder, 'crowd'))
  await showFolder(files.page, bench.address, server, 'crowd')
  return lost
}

async function showFolder(page: Page, address: string, server: ServerRef, path: string): Promise<void> {
  await page.goto(`${address}#/c/${server.connectionId}/s/${server.serverId}/files?path=${path}`)
  await page.locator(`[role=grid][aria-rowcount="${ENTRIES + 1}"]`).waitFor()
}

async function pairOf(way: string, panel: number): Promise<Pair> {
  return { way, panel, service: await childRunning(panel, 'service.js') }
}

const sizesOf = (pairs: readonly Pair[]): Promise<Sizes[]> =>
  Promise.all(
    pairs.map(async (pair) => {
      const [panel, service] = await Promise.all([heldBytes(pair.panel), heldBytes(pair.service)])
      const together = { pss: panel.pss + service.pss, rss: panel.rss + service.rss }
      return { panel, service, together }
    }),
  )

function ratios(way: string, fresh: Sizes, worked: Sizes, rested: Sizes): Figure[] {
  return (['panel', 'service', 'together'] as const).map((what) => ({
    name: `a minute after hard work ÷ fresh, ${way}: ${what}`,
    value: rested[what].pss / fresh[what].pss,
    unit: '×',
    target: MOST,
    note: `${mb(rested[what])}, fresh ${mb(fresh[what])}, right after the work ${mb(worked[what])}`,
  }))
}

/** Proportional, and resident in brackets. */
const mb = ({ pss, rss }: Held) => `${(pss / 1e6).toFixed(0)} (${(rss / 1e6).toFixed(0)}) MB`

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function say(when: string, sizes: readonly Sizes[]): void {
  const pairs = sizes.map(({ panel, service }) => `panel ${mb(panel)}, service ${mb(service)}`)
  process.stderr.write(`  ${when}: ${pairs.join('; by path: ')}\n`)
}
