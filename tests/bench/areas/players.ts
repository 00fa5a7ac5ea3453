import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fillWithPlayers, playerName } from '../../fixtures/world-of-players.ts'
import { createServers, type Bench } from '../panel.ts'
import { median, type Figure, type Outcome } from '../table.ts'

const PLAYERS = 5000
const RUNS = 7
/** ms from the click to the list, and to what was searched. */
const TARGET = 300
const SEARCH_TARGET = 50

/** The list of 5,000 players: after the click, and while one searches in it. */
export async function benchPlayers(bench: Bench): Promise<Omit<Outcome, 'bench'>> {
  const first = await bench.context.newPage()
  await first.goto(bench.address)
  await first.waitForFunction(() => 'panel' in window)
  const { connectionId, serverIds } = await createServers(first, 2)
  const [serverId = '', other = ''] = serverIds
  for (const id of serverIds) await fillWithPlayers(join(bench.data, 'service/servers', id), PLAYERS)
  const reads = await readsOf(first, connectionId, other)
  await first.close()
  const lists: number[] = []
  const statistics: number[] = []
  const searches: number[] = []
  let lost = 0
  for (let run = 0; run < RUNS; run++) {
    const page = await bench.context.newPage()
    await page.goto(`${bench.address}#/c/${connectionId}/s/${serverId}/overview`)
    await page.getByRole('tab', { name: 'Players' }).waitFor()
    await page.waitForTimeout(1000)
    const took = await clicked(page)
    lists.push(took.list)
    statistics.push(took.statistics)
    searches.push(await searched(page))
    const words = await page.getByRole('tab', { name: /^Known/ }).textContent()
    if (!words?.includes(PLAYERS.toLocaleString('en-GB'))) lost += 1
    await page.close()
  }
  const [cold = NaN, ...warm] = lists
  const runs = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(' ')
  const figures: Figure[] = [
    {
      name: `list of ${PLAYERS.toLocaleString('en-GB')} players, click to rows, the first time`,
      ...{ value: cold, unit: 'ms', target: TARGET },
      note: 'nothing was read before the page of the server was opened, a second earlier',
    },
    {
      name: `list of ${PLAYERS.toLocaleString('en-GB')} players, click to rows`,
      ...{ value: median(warm), unit: 'ms', target: TARGET, note: `runs ${runs(warm)}` },
    },
    {
      name: 'read of them by service and main, as the tab does behind what it shows',
      ...{ value: median(reads.slice(1)), unit: 'ms', note: `the first time ${reads[0]?.toFixed(0)} ms` },
    },
    {
      name: 'play time of all of them, after the click',
      ...{ value: median(statistics.slice(1)), unit: 'ms' },
      note: `the first time ${statistics[0]?.toFixed(0)} ms, with ${PLAYERS} files to read`,
    },
    {
      name: 'search among them, key to rows',
      ...{ value: median(searches), unit: 'ms', target: SEARCH_TARGET, note: `runs ${runs(searches)}` },
    },
  ]
  return { figures, lost }
}

/** Ms until the service was asked and its answer lies in the page: the first time, and then. */
async function readsOf(page: Page, connectionId: string, serverId: string): Promise<number[]> {
  const took: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const input = { view: 'players.list', connectionId, params: { serverId }, again: true } as const
    took.push(
      await page.evaluate(async (input) => {
        const began = performance.now()
        await window.panel.call('view.read', input)
        return performance.now() - began
      }, input),
    )
  }
  return took
}

declare global {
  interface Window {
    /** Ms from the click until the rows stood there, and until what was played stood beside them. */
    listed: Promise<{ list: number; statistics: number }>
    /** Ms from a key until what was searched stood alone. */
    found: Promise<number>
  }
}

/** Clicks the tab; answers ms until the rows stand there, and until what was played stands beside them. */
async function clicked(page: Page): Promise<{ list: number; statistics: number }> {
  await page.evaluate(() => {
    const row = () => document.querySelector('[role=row][data-row]')
    const played = () => row()?.querySelector('[role=gridcell]:nth-child(2)')?.textContent.trim() ?? '–'
    const watch = async (began: number) => {
      const since = () => performance.now() - began
      const until = async (there: () => boolean) => {
        while (!there() && since() < 30_000)
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        return since()
      }
      return {
        list: await until(() => row() !== null),
        statistics: await until(() => played() !== '–'),
      }
    }
    window.listed = new Promise((resolve) => {
      const begin = () => resolve(watch(performance.now()))
      addEventListener('click', begin, { capture: true, once: true })
    })
  })
  await page.getByRole('tab', { name: 'Players', exact: true }).click()
  return await page.evaluate(() => window.listed)
}

/** Types a name; answers ms from the last key until its row stands alone. */
async function searched(page: Page): Promise<number> {
  await page.evaluate(() => {
    const isFound = () => document.querySelectorAll('[role=row][data-row]').length === 1
    const watch = async (began: number) => {
      while (!isFound() && performance.now() - began < 10_000)
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      return performance.now() - began
    }
    window.found = new Promise((resolve) => {
      const begin = () => resolve(watch(performance.now()))
      addEventListener('input', begin, { capture: true, once: true })
    })
  })
  await page.getByRole('searchbox', { name: 'Search players' }).fill(playerName(PLAYERS - 1))
  return await page.evaluate(() => window.found)
}
