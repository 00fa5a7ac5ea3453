import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { Chance } from '../faults/chance.ts'
import { makeFile, type Tree } from '../faults/tree.ts'
import { sha256Of } from '../faults/watch.ts'
import { BareServer, requireCurl } from './bare.ts'
import { PathPanel } from './by-path.ts'
import { measureCrowd } from './crowd.ts'
import { watchMemory } from './memory.ts'
import { createServers, type Bench } from './panel.ts'
import { FilesPage } from './files-page.ts'
import { median, type Figure, type Outcome } from './table.ts'

const RUNS = 5
const MIB = 1024 * 1024
/** Of a large file. */
export const LARGE_BYTES = 500 * MIB
const HUGE_BYTES = 2048 * MIB
const SMALL = { files: 2000, bytes: 21_000_000 }

/** What one round of uploads took, in ms. */
interface Round {
  limit: number
  queue: number
  page: number
}

/** Uploads through main's queue and through the browser's page, a folder with very many entries, and main's memory. */
export async function benchFiles(bench: Bench): Promise<Outcome> {
  requireCurl()
  const place = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-files-'))
  const chance = new Chance(3, 'bench')
  const bare = await BareServer.start(join(place, 'bare'))
  const queue = await PathPanel.start()
  const first = await bench.context.newPage()
  await first.goto(bench.address)
  await first.waitForFunction(() => 'panel' in window)
  const { connectionId, serverIds } = await createServers(first, 1)
  await first.close()
  const server: ServerRef = { connectionId, serverId: serverIds[0] ?? '' }
  const folder = join(bench.data, 'service/servers', server.serverId)
  try {
    const page = await FilesPage.open(bench, server)
    const setting = { place, chance, bare, context: bench.context, queue, page, folder }
    // First, in processes that have done nothing yet.
    const memory = await measureMemory(setting, bench.pid)
    const large = await compareLarge(setting)
    const small = await compareSmall(setting)
    await page.close()
    const crowd = await measureCrowd(bench, server, folder)
    return {
      bench: 'files',
      lost: large.lost + small.lost + memory.lost,
      figures: [...large.figures, ...small.figures, ...crowd, ...memory.figures],
    }
  } finally {
    await bare.close()
    await queue.close()
    await rm(place, { recursive: true, force: true })
  }
}

interface Setting {
  /** Where files lie that are sent. */
  place: string
  chance: Chance
  bare: BareServer
  /** Where pages are opened. */
  context: BrowserContext
  queue: PathPanel
  page: FilesPage
  /** Of the server that the page sends to. */
  folder: string
}

interface Part {
  figures: Figure[]
  lost: number
}

async function compareLarge({ place, chance, bare, context, queue, page, folder }: Setting): Promise<Part> {
  const name = 'large.bin'
  const tree = await one(place, name, LARGE_BYTES, chance)
  const file = join(place, name)
  let lost = 0
  const browser: number[] = []
  const barePage = await context.newPage()
  const rounds = await interleave('500 MiB', {
    limit: async () => {
      const took = await bare.curl(file, name)
      await cleared(join(bare.folder, name))
      return took
    },
    queue: async () => {
      const { took } = await queue.upload([{ path: name, file }])
      lost += await countLost(queue.folder, tree)
      await cleared(join(queue.folder, name))
      return took
    },
    page: async () => {
      browser.push(await bare.put(barePage, file, name))
      await cleared(join(bare.folder, name))
      await settled()
      const took = await page.pick(file)
      lost += await countLost(folder, tree)
      await cleared(join(folder, name))
      return took
    },
  })
  await rm(file)
  // In front of the panel's page a folder cannot be picked there.
  await barePage.close()
  const figures = ratios('500 MiB', rounds, 2, 4)
  // The first was the warm-up.
  const alone = browser.slice(1).map((ms) => ms.toFixed(0))
  figures.push({
    name: '500 MiB, a PUT of the same browser to a bare server',
    value: median(browser.slice(1)),
    unit: 'ms',
    note: `for comparison; runs ${alone.join(' ')}`,
  })
  return { lost, figures }
}

async function compareSmall({ place, chance, bare, queue, page, folder }: Setting): Promise<Part> {
  const tree = await makeSmall(place, chance)
  const from = join(place, 'small')
  let lost = 0
  const rounds = await interleave('2,000 files', {
    limit: async () => {
      const took = await bare.putAll(from)
      await putAside(bare.folder, place)
      await mkdir(bare.folder)
      return took
    },
    queue: async () => {
      const { took, transfer } = await queue.upload([{ path: 'small', file: from }])
      lost += transfer.filesFailed + (await countLost(queue.folder, tree))
      await putAside(join(queue.folder, 'small'), place)
      return took
    },
    page: async () => {
      const took = await page.pickFolder(from)
      lost += await countLost(folder, tree)
      await putAside(join(folder, 'small'), place)
      return took
    },
  })
  await rm(from, { recursive: true })
  const limit = median(rounds.map((round) => round.limit))
  const figure = (name: string, way: 'queue' | 'page'): Figure => ({
    name,
    value: median(rounds.map((round) => round[way])),
    unit: 'ms',
    limit,
    target: 2000,
    note: `runs ${shown(rounds, way)}; limit: bare PUTs over 6 connections, ${shown(rounds, 'limit')}`,
  })
  return {
    lost,
    figures: [
      figure("2,000 small files (21 MB), main's queue", 'queue'),
      figure("2,000 small files (21 MB), browser's page", 'page'),
    ],
  }
}

async function measureMemory({ place, chance, queue, page, folder }: Setting, webPid: number): Promise<Part> {
  const name = 'huge.bin'
  const tree = await one(place, name, HUGE_BYTES, chance)
  const file = join(place, name)
  let lost = 0
  const byPath = await watchMemory(queue.pid, () => queue.upload([{ path: name, file }]))
  lost += await countLost(queue.folder, tree)
  await cleared(join(queue.folder, name))
  const byPage = await watchMemory(webPid, () => page.pick(file))
  lost += await countLost(folder, tree)
  await cleared(join(folder, name))
  await rm(file)
  const figure = (name: string, { before, peak }: { before: number; peak: number }): Figure => ({
    name,
    value: peak / 1e6,
    unit: 'MB',
    target: 150,
    note: `resident at the peak; ${((peak - before) / 1e6).toFixed(0)} MB above the ${(before / 1e6).toFixed(0)} MB before it`,
  })
  return {
    lost,
    figures: [
      figure("main's memory during 2 GB, main's queue", byPath),
      figure("main's memory during 2 GB, browser's page", byPage),
    ],
  }
}

/** Runs each way once a round, in turn, so that whatever else the machine does meets all of them alike. */
async function interleave(what: string, ways: Record<keyof Round, () => Promise<number>>): Promise<Round[]> {
  const rounds: Round[] = []
  for (let at = 0; at <= RUNS; at++) {
    const round: Round = { limit: 0, queue: 0, page: 0 }
    for (const way of ['limit', 'queue', 'page'] as const) {
      await settled()
      round[way] = await ways[way]()
    }
    process.stderr.write(
      `  ${what}: bare ${round.limit.toFixed(0)} ms, queue ${round.queue.toFixed(0)} ms, page ${round.page.toFixed(0)} ms${at === 0 ? ' (warm-up)' : ''}\n`,
    )
    if (at > 0) rounds.push(round)
  }
  return rounds
}

function ratios(what: string, rounds: Round[], queueMost: number, pageMost: number): Figure[] {
  const limit = median(rounds.map((round) => round.limit))
  const figure = (name: string, way: 'queue' | 'page', target: number): Figure => {
    const took = median(rounds.map((round) => round[way]))
    const rate = (ms: number) => `${(LARGE_BYTES / 1000 / ms).toFixed(0)} MB/s`
    return {
      name: `${what}, ${name} ÷ curl -T`,
      value: took / limit,
      unit: '×',
      target,
      note: `${took.toFixed(0)} ms (${rate(took)}), curl ${limit.toFixed(0)} ms (${rate(limit)}); runs ${shown(rounds, way)}, curl ${shown(rounds, 'limit')}`,
    }
  }
  return [figure("main's queue", 'queue', queueMost), figure("browser's page", 'page', pageMost)]
}

const shown = (rounds: Round[], way: keyof Round) => rounds.map((round) => round[way].toFixed(0)).join(' ')

/** Makes 2,000 files in the folder `small`. */
export async function makeSmall(place: string, chance: Chance): Promise<Pick<Tree, 'files'>> {
  const files: Tree['files'] = new Map()
  for (let at = 0; at < SMALL.files; at++) {
    const size = Math.round((SMALL.bytes / SMALL.files) * (0.5 + (at % 101) / 100))
    files.set(...(await makeFile(place, `small/file ${at}.dat`, size, chance)))
  }
  return { files }
}

/** Makes one file. */
export async function one(
  place: string,
  name: string,
  bytes: number,
  chance: Chance,
): Promise<Pick<Tree, 'files'>> {
  return { files: new Map([await makeFile(place, name, bytes, chance)]) }
}

/** Files that are not there byte for byte. */
export async function countLost(folder: string, { files }: Pick<Tree, 'files'>): Promise<number> {
  let lost = 0
  for (const [name, { size, sha256 }] of files) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found?.size !== size || (await sha256Of(file)) !== sha256) lost += 1
  }
  return lost
}

/**
 * Moves what a round wrote away, until the end of the bench. Removed, it would slow the next round down by more than that
 * takes by itself: ext4 looks past what was removed within the last seconds, file by file.
 */
async function putAside(folder: string, place: string): Promise<void> {
  await rename(folder, await mkdtemp(join(place, 'aside-')))
}

const cleared = (path: string) => rm(path, { recursive: true, force: true })

/** Waits until the disk has everything: what one way left to be written is not paid for by the next. */
async function settled(): Promise<void> {
  await new Promise((resolve) => spawn('sync').once('close', resolve))
}
