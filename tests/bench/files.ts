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
import { inTurns, ratioOf } from './pairs.ts'
import type { Figure, Outcome } from './table.ts'

const MIB = 1024 * 1024
/** Of a large file. */
export const LARGE_BYTES = 500 * MIB
const HUGE_BYTES = 2048 * MIB
const SMALL = { files: 2000, bytes: 21_000_000 }

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
    const crowd = await measureCrowd(bench, server, folder, bare)
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
  const barePage = await context.newPage()
  const rounds = await inTurns(
    '500 MiB',
    {
      curl: async () => {
        await settled()
        const took = await bare.hashedCurl(file, name)
        await cleared(join(bare.folder, name))
        return took
      },
      queue: async () => {
        await settled()
        const { took } = await queue.upload([{ path: name, file }])
        lost += await countLost(queue.folder, tree)
        await cleared(join(queue.folder, name))
        return took
      },
      browser: async () => {
        await settled()
        const took = await bare.put(barePage, file, name)
        await cleared(join(bare.folder, name))
        return took
      },
      page: async () => {
        await settled()
        const took = await page.pick(file)
        lost += await countLost(folder, tree)
        await cleared(join(folder, name))
        return took
      },
    },
    ['curl', 'browser'],
  )
  await rm(file)
  // In front of the panel's page a folder cannot be picked there.
  await barePage.close()
  return {
    lost,
    figures: [
      ratioOf(rounds, 'queue', 'curl', {
        name: "500 MiB, main's queue ÷ curl with hashing",
        target: 1.2,
        limitIs: 'curl -T while both sides hash the file',
      }),
      ratioOf(rounds, 'page', 'browser', {
        name: "500 MiB, browser's page ÷ the browser's own PUT",
        target: 1.1,
        limitIs: 'a PUT of the same browser to a bare server',
      }),
    ],
  }
}

async function compareSmall({ place, chance, bare, queue, page, folder }: Setting): Promise<Part> {
  const tree = await makeSmall(place, chance)
  const from = join(place, 'small')
  let lost = 0
  const rounds = await inTurns(
    '2,000 files',
    {
      limit: async () => {
        await settled()
        const took = await bare.putAll(from)
        await putAside(bare.folder, place)
        await mkdir(bare.folder)
        return took
      },
      queue: async () => {
        await settled()
        const { took, transfer } = await queue.upload([{ path: 'small', file: from }])
        lost += transfer.filesFailed + (await countLost(queue.folder, tree))
        await putAside(join(queue.folder, 'small'), place)
        return took
      },
      page: async () => {
        await settled()
        const took = await page.pickFolder(from)
        lost += await countLost(folder, tree)
        await putAside(join(folder, 'small'), place)
        return took
      },
    },
    ['limit'],
  )
  await rm(from, { recursive: true })
  const figure = (name: string, way: 'queue' | 'page', target: number) =>
    ratioOf(rounds, way, 'limit', { name, target, limitIs: 'bare PUTs over six connections' })
  return {
    lost,
    figures: [
      figure("2,000 small files (21 MB), main's queue ÷ bare PUTs", 'queue', 1),
      figure("2,000 small files (21 MB), browser's page ÷ bare PUTs", 'page', 1.3),
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
