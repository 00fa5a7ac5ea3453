import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import { SERVICE_FLAGS } from '../../src/main/local/service-launcher.ts'
import { cpuSeconds } from './cpu.ts'
import type { ManyIdle } from './many-idle.ts'
import { residentBytes } from './memory.ts'
import type { Figure } from './table.ts'

const COUNT = 100
const FIRST_PORT = 24_000
/** How long they are left alone before they are looked at, and how long they are looked at, in ms. */
const SETTLE = 20_000
const LOOK = 60_000

interface Use {
  /** 100 is one core. */
  cpuPercent: number
  bytes: number
}

/** What the service's runtime takes for servers that do nothing: each in a container, and as processes. */
export async function benchIdleEngines(engine: EngineSettings): Promise<Figure[]> {
  const inContainers = await useOf(engine)
  const asProcesses = await useOf(null)
  const megabytes = (bytes: number) => bytes / 1024 / 1024
  return [
    {
      ...{
        name: `${COUNT} idle containers: the service`,
        value: inContainers.cpuPercent,
        unit: '%',
        target: 2,
      },
      note: `as processes: ${asProcesses.cpuPercent.toFixed(1)} %`,
    },
    {
      ...{ name: `${COUNT} idle containers: the service, more than for processes`, unit: 'MB', target: 40 },
      value: megabytes(inContainers.bytes - asProcesses.bytes),
      note: `${megabytes(inContainers.bytes).toFixed(0)} MB; as processes: ${megabytes(asProcesses.bytes).toFixed(0)} MB`,
    },
  ]
}

async function useOf(engine: EngineSettings | null): Promise<Use> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-idle-'))
  const asked: ManyIdle = { folder, count: COUNT, firstPort: FIRST_PORT, engine }
  const child = fork(path.join(import.meta.dirname, 'many-idle.ts'), [JSON.stringify(asked)], {
    execArgv: [...SERVICE_FLAGS],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before its servers were online.`)))
  })
  await after(SETTLE)
  const { pid = 0 } = child
  const before = await cpuSeconds(pid)
  const began = performance.now()
  await after(LOOK)
  const cpuPercent = ((await cpuSeconds(pid)) - before) / ((performance.now() - began) / 100_000)
  const bytes = await residentBytes(pid)
  child.send('end')
  await ended
  return { cpuPercent, bytes }
}
