import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { Terminal as XtermTerminal } from '@xterm/xterm'
import { FLOOD } from '../doubles/flood-script.ts'
import { inTurns, ratioOf } from './pairs.ts'
import type { Bench } from './panel.ts'
import { addXterm, sizeOf, type Size } from './raw-terminal.ts'
import { median, percentile, type Outcome } from './table.ts'
import { openConsole, run } from './watched-console.ts'

/** Commands of one round, each way. */
const COMMANDS = 20
/** Lines that the console has shown before: the terminal is full, as a server's is after its start and an hour. */
const BEFORE = 20_000
/** Between two commands, in ms. */
const PAUSE = 60

declare global {
  interface Window {
    /** Ms from Enter until the terminal had taken in the answer. */
    answered: Promise<number>
    /** Sends what stands in the field once Enter is pressed, and notes how long its answer takes. */
    expectAnswer: () => void
  }
}

/** From Enter to the line in the terminal, beside the same program behind a bare socket and a bare terminal. */
export async function benchEcho({ context, ...bench }: Bench): Promise<Outcome> {
  const watched = await openConsole({ context, ...bench })
  await run(watched, `flood ${BEFORE}`, BEFORE)
  const bare = await openBareEcho(context, await sizeOf(watched.page))
  const p95s = { limit: [] as number[], ours: [] as number[] }
  const batchOf =
    (way: 'limit' | 'ours', page: Page, send: (text: string) => Promise<number>) => async () => {
      await page.bringToFront()
      const waits: number[] = []
      for (let at = 0; at < COMMANDS; at++) {
        waits.push(await send(`say ${at + 1}`))
        await page.waitForTimeout(PAUSE)
      }
      p95s[way].push(percentile(waits, 95))
      return median(waits)
    }
  const ours = async (text: string) => (await run(watched, text, 1)).recording.took
  const medians = await inTurns(
    'Enter → line',
    {
      limit: batchOf('limit', bare.page, (text) => bare.say(text)),
      ours: batchOf('ours', watched.page, ours),
    },
    ['limit'],
  )
  await bare.close()
  const count = medians.rounds.length
  const rounds = medians.rounds.map((_, at) => ({
    limit: p95s.limit.at(at - count)!,
    ours: p95s.ours.at(at - count)!,
  }))
  const limitIs = `the same program behind a bare socket, in a bare terminal; ${COMMANDS} commands each`
  const name = 'Enter → line in the terminal ÷ bare echo'
  const figures = [
    ratioOf(medians, 'ours', 'limit', { name: `${name}, median`, target: 1.5, limitIs }),
    ratioOf({ ...medians, rounds }, 'ours', 'limit', { name: `${name}, p95`, target: 2, limitIs }),
  ]
  return { bench: 'echo', lost: 0, figures }
}

/** A page with a field and a terminal, and the flood program behind a socket. */
async function openBareEcho(context: BrowserContext, size: Size) {
  const child = fork(join(import.meta.dirname, 'bare-echo.ts'), [FLOOD], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await addXterm(page)
  await page.evaluate(
    async ([size, address]) => {
      const Terminal = (window as unknown as { Terminal: typeof XtermTerminal }).Terminal
      const terminal = new Terminal({ convertEol: true, disableStdin: true, fontSize: 13, ...size })
      terminal.open(document.getElementById('t')!)
      const socket = new WebSocket(address)
      const field = document.querySelector('input')!
      window.expectAnswer = () => {
        window.answered = new Promise((resolve) => {
          let began = 0
          field.onkeydown = (event) => {
            if (event.key !== 'Enter') return
            began = performance.now()
            socket.send(field.value)
          }
          socket.onmessage = ({ data }) => {
            terminal.write(String(data), () => {
              if (String(data).includes('[Server]')) resolve(performance.now() - began)
            })
          }
        })
      }
      await new Promise((ready) => (socket.onopen = ready))
    },
    [size, `ws://127.0.0.1:${port}/`] as const,
  )
  return {
    page,
    async say(text: string): Promise<number> {
      await page.locator('input').fill(text)
      await page.evaluate(() => window.expectAnswer())
      await page.locator('input').press('Enter')
      return page.evaluate(() => window.answered)
    },
    async close() {
      await page.close()
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}
