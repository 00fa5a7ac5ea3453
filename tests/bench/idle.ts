import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { serviceOfMany } from '../fixtures/service-of-many.ts'
import { ask, buildPathPanel, endPathPanel, forkPathPanel } from './by-path.ts'
import { cpuSeconds } from './cpu.ts'
import { profiled } from './measured.ts'
import { childRunning, heldBytes } from './memory.ts'
import type { Figure, Outcome } from './table.ts'

const CONNECTIONS = 10
const SERVERS = 30
/** How long a process is left alone before it is looked at, and how long it is looked at, in ms. */
const SETTLE = 20_000
const LOOK = 60_000

/** What main and the service take while nobody does anything. */
export async function benchIdle(): Promise<Outcome> {
  await buildPathPanel()
  const main = await inFolder(idleMain)
  const service = await inFolder(idleService)
  return { bench: 'idle', lost: 0, figures: [...main, ...service] }
}

async function inFolder(measure: (data: string) => Promise<Figure[]>): Promise<Figure[]> {
  const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-idle-'))
  try {
    return await measure(data)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** 300 servers on 10 services that are reached and have nothing to tell, each list shown once; a window is open. */
async function idleMain(data: string): Promise<Figure[]> {
  const services = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => serviceOfMany(index, SERVERS)),
  )
  const panel = forkPathPanel(data, profiled('idle-main'))
  for (const { baseUrl } of services) {
    const { id } = await ask(panel, 'connections.use-token', { baseUrl, token: 'a-token' })
    const read = () => ask(panel, 'view.read', { view: 'servers.list', connectionId: id })
    while (!(await read()).value) await after(50)
  }
  const figures = await idle('main, idle with 300 servers', panel.pid!, { mb: 100, cpu: 0.5 })
  await endPathPanel(panel)
  for (const service of services) await service.close()
  return figures
}

/** The service of this computer with 30 servers, none of which runs. */
async function idleService(data: string): Promise<Figure[]> {
  const panel = forkPathPanel(data, profiled('idle-service'))
  const { id: connectionId } = await ask(panel, 'connections.this-computer', undefined)
  for (let at = 0; at < SERVERS; at++) {
    const body = { name: `Server ${at}`, software: { id: 'flood', version: '1' }, memoryMb: 512 }
    await ask(panel, 'operation.send', { operation: 'servers.create', connectionId, body })
  }
  const pid = await childRunning(panel.pid!, 'service.js')
  const figures = await idle('service, idle with 30 servers', pid, { mb: 90, cpu: 0.5 })
  await endPathPanel(panel)
  return figures
}

async function idle(what: string, pid: number, targets: { mb: number; cpu: number }): Promise<Figure[]> {
  await after(SETTLE)
  const before = await cpuSeconds(pid)
  await after(LOOK)
  const cpu = ((await cpuSeconds(pid)) - before) / (LOOK / 1000)
  const { pss, rss } = await heldBytes(pid)
  process.stderr.write(`  ${what}: ${(pss / 1e6).toFixed(0)} MB, ${(cpu * 100).toFixed(2)} %\n`)
  return [
    {
      name: `${what}: memory`,
      ...{ value: pss / 1e6, unit: 'MB', target: targets.mb },
      note: `resident ${(rss / 1e6).toFixed(0)} MB`,
    },
    { name: `${what}: CPU`, value: cpu * 100, unit: '%', target: targets.cpu, note: `over ${LOOK / 1000} s` },
  ]
}
