import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { ENTRIES, inNewContext } from './cold-page.ts'
import { inTurns, ratioOf } from './pairs.ts'
import type { Bench } from './panel.ts'
import { sizeOf, type Size } from './raw-terminal.ts'
import { median, type Outcome } from './table.ts'
import { openConsole, run } from './watched-console.ts'

const require = createRequire(import.meta.url)

/** Lines that the console has behind it. */
const BEHIND = 100_000
/** Lines that a console shows first: what it asks for when it is opened. */
const FIRST = 2000

/** From the list to the console of a server that has written much: the first time in a window, and the second. */
export async function benchOpen(bench: Bench): Promise<Outcome> {
  const watched = await openConsole(bench)
  const { lost, texts } = await run(watched, `flood ${BEHIND}`, BEHIND)
  const newest = await watched.page.evaluate(() => window.recorder.last)
  const size = await sizeOf(watched.page)
  await watched.page.close()
  const { connectionId, serverId } = watched.server
  const place = `#/c/${connectionId}/s/${serverId}/console`

  const bare = await bareConsole(size, texts.slice(-FIRST))
  const second: number[] = []
  const rounds = await inTurns(
    'list → console',
    {
      limit: () => inNewContext(bench, (page) => bareUsable(page, bare.address)),
      ours: () =>
        inNewContext(bench, async (page) => {
          await toCalmList(page, bench.address)
          const first = await toConsole(page, place, newest)
          await page.evaluate(() => (location.hash = '#/'))
          await page.locator('.xterm').waitFor({ state: 'detached' })
          await calmed(page)
          second.push(await toConsole(page, place, newest))
          return first
        }),
    },
    ['limit'],
  )
  bare.close()
  return {
    bench: 'open',
    lost,
    figures: [
      ratioOf(rounds, 'ours', 'limit', {
        name: `list → console with ${BEHIND.toLocaleString('en')} lines behind it ÷ bare page`,
        target: 1.3,
        limitIs: `a page that loads xterm and writes the newest ${FIRST} lines`,
      }),
      {
        name: '  the second time',
        value: median(second.slice(-rounds.rounds.length)),
        unit: 'ms',
        range: [Math.min(...second.slice(1)), Math.max(...second.slice(1))],
        target: 100,
      },
    ],
  }
}

/** The list, with the pointer over it as that of a person who is about to choose, and nothing left to do. */
async function toCalmList(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator(ENTRIES).first().waitFor()
  await page.mouse.move(100, 300)
  await page.mouse.move(110, 310)
  await page.waitForLoadState('networkidle')
  await calmed(page)
}

async function calmed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let calm = 0; calm < 3;) {
      const { didTimeout } = await new Promise<IdleDeadline>((idle) =>
        requestIdleCallback(idle, { timeout: 500 }),
      )
      calm = didTimeout ? 0 : calm + 1
    }
  })
}

/** Goes to a console within the page; answers ms until a frame that shows its newest line. */
function toConsole(page: Page, place: string, newest: number): Promise<number> {
  return page.evaluate(
    async ([place, newest]) => {
      const written = new Promise<void>((done) => {
        const told = (event: Event) => {
          if ((event as CustomEvent<{ seq: number }>).detail.seq < newest) return
          removeEventListener('console-written', told)
          requestAnimationFrame(() => setTimeout(done))
        }
        addEventListener('console-written', told)
      })
      const began = performance.now()
      location.hash = place
      await written
      return performance.now() - began
    },
    [place, newest] as const,
  )
}

/** Opens the bare console; answers ms from navigation until a frame that shows its newest line. */
async function bareUsable(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  return (await page.waitForFunction(() => window.usable)).jsonValue() as Promise<number>
}

/** The limit: a page that loads xterm and writes the same lines into it, at once. */
async function bareConsole(
  size: Size,
  lines: readonly string[],
): Promise<{ address: string; close: () => void }> {
  const script = `const terminal = new Terminal({ convertEol: true, disableStdin: true, fontFamily: 'monospace',
    fontSize: 13, lineHeight: 1.1, scrollback: 10000, rows: ${size.rows}, cols: ${size.cols} })
    terminal.open(document.getElementById('t'))
    terminal.write(document.getElementById('lines').textContent, () =>
      requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now()))))`
  const files: Record<string, [type: string, body: string]> = {
    '/': [
      'text/html',
      `<!doctype html><link rel="stylesheet" href="/xterm.css"><div id="t"></div>` +
        `<script id="lines" type="text/plain">${lines.join('\n').replaceAll('<', '&lt;')}</script>` +
        `<script src="/xterm.js"></script><script>${script}</script>`,
    ],
    '/xterm.css': ['text/css', readFileSync(require.resolve('@xterm/xterm/css/xterm.css'), 'utf8')],
    '/xterm.js': ['text/javascript', readFileSync(require.resolve('@xterm/xterm'), 'utf8')],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
    response.setHeader('content-type', type).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
