import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { ENTRIES, inNewContext, toList } from './cold-page.ts'
import { call, startBench, type Bench } from './panel.ts'
import { inTurns, ratioOf } from './pairs.ts'
import { countLost, floodNumber, readLines } from './read-back.ts'
import { addRecorder } from './recorder.ts'
import { percentile, type Figure, type Outcome } from './table.ts'

const LIST = { hosts: 5, servers: 100, seen: 24 }
const FLOOD = { rate: 20_000, seconds: 5, eachMs: 10 }

/** Hosts with an API of their own, as people see them: beside a service, and under a flood of a Wings that drops nothing. */
export async function benchHosts(): Promise<Outcome> {
  const list = await longList()
  const { figures, lost } = await flood()
  return { bench: 'hosts', figures: [list, ...figures], lost }
}

/** In turns: the first screen of 100 servers on five panels, and of 100 on one service. */
async function longList(): Promise<Figure> {
  const panels = await Promise.all(Array.from({ length: LIST.hosts }, () => PterodactylPanel.open()))
  for (const panel of panels)
    for (let at = 0; at < LIST.servers / LIST.hosts; at++) panel.add(tmpdir(), { name: `Server ${at}` })
  const service = await serviceOfMany(0, LIST.servers)
  const [ofHosts, ofService] = [await startBench(), await startBench()]
  try {
    await signIn(
      ofHosts,
      panels.map(({ base }) => base),
    )
    await signIn(ofService, [service.baseUrl])
    const load = (bench: Bench) => () => inNewContext(bench, (page) => toList(page, bench.address, LIST.seen))
    const ways = { service: load(ofService), hosts: load(ofHosts) }
    const rounds = await inTurns('100 servers on a service and on five hosts', ways, ['service'])
    return ratioOf(rounds, 'hosts', 'service', {
      name: 'list of 100 servers on 5 hosts ÷ on 1 service',
      target: 1.3,
      limitIs: 'the same list of a service',
    })
  } finally {
    await ofHosts.close()
    await ofService.close()
    await service.close()
    for (const panel of panels) await panel.close()
  }
}

async function signIn(bench: Bench, baseUrls: readonly string[]): Promise<string> {
  const page = await bench.context.newPage()
  await page.goto(bench.address)
  await page.waitForFunction(() => 'panel' in window)
  let last = ''
  for (const baseUrl of baseUrls) {
    const { id } = await call(page, 'connections.use-token', { baseUrl, token: KEY })
    last = id
  }
  await page.waitForFunction((entries) => document.querySelectorAll(entries).length > 0, ENTRIES)
  await page.close()
  return last
}

async function flood(): Promise<{ figures: Figure[]; lost: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-host-'))
  mkdirSync(join(folder, 'logs'))
  const host = await PterodactylPanel.open()
  const { uuid } = host.add(folder)
  const bench = await startBench()
  const print = (texts: readonly string[]) => {
    const text = texts.map((line) => `[12:00:00] [Server thread/INFO]: ${line}\n`).join('')
    appendFileSync(join(folder, 'logs/latest.log'), text)
    host.wings.print(uuid, ...texts.map((line) => `[12:00:00 INFO]: ${line}`))
  }
  try {
    const server = { connectionId: await signIn(bench, [host.base]), serverId: uuid }
    print(['Done (2.5s)!'])
    const page = await bench.context.newPage()
    await addRecorder(page)
    await page.goto(`${bench.address}#/c/${server.connectionId}/s/${uuid}/console`)
    await page.locator('.xterm-rows').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.waitForFunction(() => window.recorder.last > 0)
    const { pieces } = await call(page, 'console.page', { ...server, limit: 1 })
    const newest = pieces.at(-1)
    const epoch = newest?.kind === 'lines' ? newest.batch.epoch : ''
    const before = await page.evaluate(() => window.recorder.last)
    const count = FLOOD.rate * FLOOD.seconds
    await page.evaluate((last) => window.recorder.begin(last, true), before + count)
    const done = page.evaluate(() => window.recorder.done())
    const begun = performance.now()
    for (let written = 0; written < count;) {
      const due = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * FLOOD.rate))
      print(Array.from({ length: due - written }, (_, at) => `Line ${written + at + 1} of the flood`))
      written = due
      await wait(FLOOD.eachMs)
    }
    const { frames, took } = await done
    const lines = await readLines(page, server, epoch, before, before + count)
    const numbers = lines.flatMap(({ text }) => floodNumber(text) ?? [])
    const lost = countLost(numbers, 1, count)
    const what = 'console of a Wings at 20,000 lines/s for 5 s'
    const note = `${frames.length} frames, longest ${Math.max(...frames).toFixed(0)} ms`
    return {
      lost,
      figures: [
        { name: `${what}: lost`, value: lost, unit: 'lines', target: 0 },
        { name: `${what}: frame interval, p95`, value: percentile(frames, 95), unit: 'ms', target: 33, note },
        { name: `${what}: behind it at the end`, value: took - FLOOD.seconds * 1000, unit: 'ms' },
      ],
    }
  } finally {
    await bench.close()
    await host.close()
    rmSync(folder, { recursive: true })
  }
}
