import { FLOOD } from '../doubles/flood-script.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { wholeChromium } from '../../build/scripts/chromium.js'
import { programEnvironment, programFlags } from '../../build/scripts/project.js'
import { builtProgram } from '../e2e/fixtures/program.ts'
import { profiled, profilesFolder } from './measured.ts'
import type { CallInput, CallName, CallOutput } from '../../src/contract/bridge/calls.ts'

/** What people have: a window of 1440 × 900. */
export const VIEWPORT = { width: 1440, height: 900 }

/** A running panel with its service, and a browser that may use it. */
export interface Bench {
  browser: Browser
  /** A context that is signed in to the panel; `fresh` for one without any cache. */
  context: BrowserContext
  fresh(): Promise<BrowserContext>
  address: string
  /** The panel's data folder. */
  data: string
  /** The panel's process. */
  pid: number
  close(): Promise<void>
}

/** What a browser notes of its pages for a profile; DevTools and Perfetto show it. */
const PAGE_PROFILE = [
  'devtools.timeline',
  'disabled-by-default-v8.cpu_profiler',
  'blink.user_timing',
  'loading',
]

async function keepTrace(folder: string, trace: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `page-${Date.now()}.json`), trace)
}

/** Starts the panel as people do, on a new data folder, with the flood software offered. */
export async function startBench(): Promise<Bench> {
  const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'))
  const panel = spawn(process.execPath, [...programFlags, builtProgram('web'), '--no-open', '--data', data], {
    env: { ...programEnvironment(), ...profiled('panel'), WHEELHOUSE_SCRIPT: FLOOD },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    await ended(panel)
    await rm(data, { recursive: true, force: true })
  }
  try {
    const address = await printedAddress(panel)
    const browser = await chromium.launch(wholeChromium())
    if (profilesFolder) await browser.startTracing(undefined, { categories: PAGE_PROFILE })
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(address)
    await page.waitForFunction(() => 'panel' in window)
    // The cookie, and the page's key, which the browser keeps for the address.
    const storageState = await context.storageState()
    await page.close()
    return {
      browser,
      context,
      address: new URL('/', address).href,
      data,
      pid: panel.pid ?? 0,
      fresh() {
        return browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', storageState })
      },
      async close() {
        if (profilesFolder) await keepTrace(profilesFolder, await browser.stopTracing())
        await browser.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function printedAddress(panel: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    panel.stdout?.on('data', (data: Buffer) => {
      said += data.toString()
      const address = /^Panel: (\S+)/m.exec(said)?.[1]
      if (address) resolve(address)
    })
    panel.once('exit', (code) =>
      reject(new Error(`The panel ended with exit code ${code} before it printed its address.`)),
    )
  })
}

async function ended(panel: ChildProcess): Promise<void> {
  if (panel.exitCode !== null) return
  const exit = new Promise((resolve) => panel.once('exit', resolve))
  panel.kill('SIGTERM')
  const late = setTimeout(() => panel.kill('SIGKILL'), 15_000)
  await exit
  clearTimeout(late)
}

/** Makes a call of the bridge in a page, as the panel's own views do. Throws where it fails. */
export async function call<N extends CallName, const In extends CallInput<N>>(
  page: Page,
  name: N,
  input: In,
): Promise<CallOutput<N, In>> {
  const outcome = await page.evaluate(
    ([name, input]) => window.panel.call(name as 'app.info', input as undefined),
    [name, input] as const,
  )
  if (!outcome.ok) throw new Error(`${name}: ${outcome.problem.code}: ${outcome.problem.message}`)
  return outcome.value as CallOutput<N, In>
}

/** Creates servers that run the flood software; answers their ids. */
export async function createServers(
  page: Page,
  count: number,
): Promise<{ connectionId: string; serverIds: string[] }> {
  const connection = await call(page, 'connections.this-computer', undefined)
  const serverIds: string[] = []
  for (let at = 1; at <= count; at++) {
    const server = {
      name: `Server ${String(at).padStart(2, '0')}`,
      software: { id: 'flood', version: '1' },
      memoryMb: 512,
    }
    const sent = { operation: 'servers.create', connectionId: connection.id, body: server } as const
    serverIds.push((await call(page, 'operation.send', sent))!.id)
  }
  return { connectionId: connection.id, serverIds }
}

/** Starts a server and waits until it is online. */
export async function startServer(page: Page, connectionId: string, serverId: string): Promise<void> {
  const started = {
    operation: 'servers.power',
    connectionId,
    params: { serverId },
    body: { action: 'start' },
  } as const
  await call(page, 'operation.send', started)
  for (let tries = 0; tries < 200; tries++) {
    const { value } = await call(page, 'view.read', {
      view: 'servers.status',
      connectionId,
      params: { serverId },
    })
    if (value?.status === 'online') return
    await page.waitForTimeout(100)
  }
  throw new Error('The flood server did not come online within 20 s.')
}
