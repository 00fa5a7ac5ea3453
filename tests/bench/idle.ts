import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { ask, buildPathPanel, endPathPanel, forkPathPanel } from './by-path.ts'
import { cpuSeconds } from './cpu.ts'
import { profiled } from './measured.ts'
import { childRunning, heldBytes } from './memory.ts'
import type { Figure, Outcome } from './table.ts'

const CONNECTIONS = 10
const SERVERS = 30
/** How long the programs are left alone before they are looked at, and how long they are looked at, in ms. */
const SETTLE = 20_000
const LOOK = 60_000

/** A program that nobody uses, what it may take, and how it is ended. */
interface Idle {
  what: string
  pid: number
  targets: { mb: number; cpu: number }
  end: () => Promise<void>
}

/**
 * What main and the service take while nobody does anything. Their processor time is that of the same minute, since neither
 * keeps the other busy; their memory is looked at while the other is not there, since they would share pages.
 */
export async function benchIdle(): Promise<Outcome> {
  await buildPathPanel()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-idle-'))
  try {
    const main = await idleMain(join(folder, 'main'))
    await after(SETTLE)
    const mainHolds = await memoryOf(main)
    const service = await idleService(join(folder, 'service'))
    await after(SETTLE)
    const cpu = await Promise.all([main, service].map(cpuOf))
    await main.end()
    const serviceHolds = await memoryOf(service)
    await service.end()
    return { bench: 'idle', lost: 0, figures: [mainHolds, serviceHolds, ...cpu] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** 300 servers on 10 services that are reached and have nothing to tell, each list shown once; a window is open. */
async function idleMain(data: string): Promise<Idle> {
  const services = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => serviceOfMany(index, SERVERS)),
  )
  const panel = forkPathPanel(data, profiled('idle-main'))
  for (const { baseUrl } of services) {
    const { id } = await ask(panel, 'connections.use-token', { baseUrl, token: 'a-token' })
    const read = () => ask(panel, 'view.read', { view: 'servers.list', connectionId: id })
    while (!(await read()).value) await after(50)
  }
  return {
    ...{ what: 'main, idle with 300 servers', pid: panel.pid!, targets: { mb: 100, cpu: 0.5 } },
    async end() {
      await endPathPanel(panel)
      for (const service of services) await service.close()
    },
  }
}

/** The service of this computer with 30 servers, none of which runs. */
async function idleService(data: string): Promise<Idle> {
  const panel = forkPathPanel(data, profiled('idle-service'))
  const { id: connectionId } = await ask(panel, 'connections.this-computer', undefined)
  for (let at = 0; at < SERVERS; at++) {
    const body = { name: `Server ${at}`, software: { id: 'flood', version: '1' }, memoryMb: 512 }
    await ask(panel, 'operation.send', { operation: 'servers.create', connectionId, body })
  }
  const pid = await childRunning(panel.pid!, 'service.js')
  return {
    ...{ what: 'service, idle with 30 servers', pid, targets: { mb: 90, cpu: 0.5 } },
    end: () => endPathPanel(panel),
  }
}

async function memoryOf({ what, pid, targets }: Idle): Promise<Figure> {
  const { pss, rss } = await heldBytes(pid)
  process.stderr.write(`  ${what}: ${(pss / 1e6).toFixed(0)} MB\n`)
  return {
    name: `${what}: memory`,
    ...{ value: pss / 1e6, unit: 'MB', target: targets.mb },
    note: `resident ${(rss / 1e6).toFixed(0)} MB`,
  }
}

async function cpuOf({ what, pid, targets }: Idle): Promise<Figure> {
  const before = await cpuSeconds(pid)
  await after(LOOK)
  const cpu = ((await cpuSeconds(pid)) - before) / (LOOK / 1000)
  process.stderr.write(`  ${what}: ${(cpu * 100).toFixed(2)} %\n`)
  return {
    name: `${what}: CPU`,
    ...{ value: cpu * 100, unit: '%', target: targets.cpu },
    note: `over ${LOOK / 1000} s`,
  }
}
