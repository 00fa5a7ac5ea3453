import type { Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { createServers, startServer, type Bench } from './panel.ts'
import { countLost, floodNumber, readLines } from './read-back.ts'
import { addRecorder, type Recording } from './recorder.ts'

/** A console of a running flood server, in a page. */
export interface Watched {
  page: Page
  server: ServerRef
  epoch: string
}

/** Shows the console of a new flood server, which is online. */
export async function openConsole(bench: Bench): Promise<Watched> {
  const page = await bench.context.newPage()
  await addRecorder(page)
  await page.goto(bench.address)
  const { connectionId, serverIds } = await createServers(page, 1)
  const server = { connectionId, serverId: serverIds[0]! }
  await startServer(page, server.connectionId, server.serverId)
  await page.goto(`${bench.address}#/c/${connectionId}/s/${server.serverId}/console`)
  await page.locator('.xterm-rows').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.waitForFunction(() => window.recorder.last > 0)
  const epoch = await page.evaluate(
    async ([server]) => {
      const outcome = await window.panel.call('console.page', { ...server, limit: 1 })
      const piece = outcome.ok ? outcome.value.pieces.at(-1) : undefined
      return piece?.kind === 'lines' ? piece.batch.epoch : ''
    },
    [server] as const,
  )
  return { page, server, epoch }
}

/**
 * Sends a command by the keyboard and records until the terminal has taken in what it prints: the command's own line,
 * then `count` lines. Afterwards every line is read back by its id.
 *
 * @param recorded is waited for before they are read back, which is work of its own
 */
export async function run(
  { page, server, epoch }: Watched,
  command: string,
  count: number,
  recorded: () => Promise<void> = () => Promise.resolve(),
): Promise<{ recording: Recording; lost: number; texts: string[] }> {
  await page.bringToFront()
  const field = page.getByLabel('Command', { exact: true })
  await field.fill(command)
  // An answer is waited for line by line, so nothing else is on its way: both ways of a pair pause alike.
  const before = count === 1 ? await page.evaluate(() => window.recorder.last) : await quiet(page)
  const last = before + 1 + count
  await page.evaluate(([last, frames]) => window.recorder.begin(last, frames), [last, count > 1] as const)
  await field.press('Enter')
  const recording = await page.evaluate(() => window.recorder.done())
  await recorded()
  if (count === 1) return { recording, lost: 0, texts: [] }
  await quiet(page)
  const lines = await readLines(page, server, epoch, before, last)
  const numbers = lines.map((line) => floodNumber(line.text)).filter((number) => number !== null)
  // The number before the first is that of the run before, or none.
  const first = lines.length > 0 && numbers.length > 0 ? numbers[0]! : 1
  const expected = first % count === 1 || count === 1 ? first : first - ((first - 1) % count)
  return { recording, lost: countLost(numbers, expected, count), texts: lines.map((line) => line.text) }
}

/** Waits until no line has come for a moment; answers the number of the newest. */
async function quiet(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let last = -1; last !== window.recorder.last;) {
      last = window.recorder.last
      await new Promise((done) => setTimeout(done, 250))
    }
    return window.recorder.last
  })
}
