import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { systemClock } from '../../src/service/base/clock.ts'
import { serverFolders } from '../../src/service/files/server-folders.ts'
import { openStore } from '../../src/service/store/store.ts'
import { Host } from '../faults/host.ts'
import type { Stage } from '../faults/stage.ts'
import { cpuSeconds } from './cpu.ts'
import { profiled } from './measured.ts'
import { heldBytes } from './memory.ts'
import type { Figure } from './table.ts'

const SERVERS = 300
/** The first of the ports of sleeping servers. */
const PORT = 33_000
/** How long the service is left alone before it is looked at, and how long it is looked at, in ms. */
const SETTLE = 10_000
const LOOK = 30_000

interface Idle {
  /** Of a core. */
  cpu: number
  bytes: number
}

/** What 300 servers cost that are off, that have a rule each, and that sleep. */
export async function benchRulesAndSleep(stage: Stage): Promise<Figure[]> {
  const off = await idle(stage, 'off')
  const ruled = await idle(stage, 'ruled')
  const asleep = await idle(stage, 'asleep')
  const percent = (share: number) => share * 100
  return [
    {
      name: `${SERVERS} servers with rules: CPU of the service`,
      ...{ value: percent(ruled.cpu), unit: '%', target: 1 },
      note: `over ${LOOK / 1000} s; without rules ${percent(off.cpu).toFixed(2)} %`,
    },
    {
      name: `a sleeping server: memory of the service`,
      ...{ value: Math.max(0, asleep.bytes - off.bytes) / SERVERS / 1e6, unit: 'MB', target: 0.2 },
      note: `${SERVERS} of them: ${mb(asleep)} MB, off ${mb(off)} MB`,
    },
    {
      name: `${SERVERS} sleeping servers: CPU of the service, more than off`,
      ...{ value: Math.max(0, percent(asleep.cpu - off.cpu)), unit: '%', target: 0.5 },
      note: `${percent(asleep.cpu).toFixed(2)} %`,
    },
  ]
}

const mb = ({ bytes }: Idle) => (bytes / 1e6).toFixed(0)

async function idle(stage: Stage, as: 'off' | 'ruled' | 'asleep'): Promise<Idle> {
  const host = await Host.start(stage, { data: stage.at(as), environment: profiled(`backups-${as}`) })
  await host.end()
  await fill(host, as)
  await host.start()
  await after(SETTLE)
  const before = await cpuSeconds(host.pid)
  await after(LOOK)
  const cpu = ((await cpuSeconds(host.pid)) - before) / (LOOK / 1000)
  const { pss } = await heldBytes(host.pid)
  process.stderr.write(
    `  ${SERVERS} servers, ${as}: ${(cpu * 100).toFixed(2)} %, ${(pss / 1e6).toFixed(0)} MB\n`,
  )
  await host.end()
  return { cpu, bytes: pss }
}

async function fill({ data, serverId }: Host, as: 'off' | 'ruled' | 'asleep'): Promise<void> {
  const store = await openStore(path.join(data, 'service.db'), { clock: systemClock })
  const { ownerId, softwareId, softwareVersion } = store.servers.byId(serverId)!
  const folders = serverFolders(data)
  const marks = path.join(data, 'sleeping')
  await mkdir(marks, { recursive: true })
  try {
    for (let at = 0; at < SERVERS; at++) {
      const id = randomUUID()
      store.servers.insert({
        ...{ id, ownerId, softwareId, softwareVersion, name: `Server ${at}`, memoryMb: 512, port: PORT + at },
        ...{ createdAt: 1, sleep: as === 'asleep' ? { afterMinutes: 15, wake: 'anybody' } : null },
      })
      await folders.make(id)
      if (as === 'asleep') await writeFile(path.join(marks, id), '')
      if (as !== 'ruled') continue
      store.schedules.save({
        ...{ id: randomUUID(), serverId: id, name: 'Nightly', enabled: true, author: ownerId },
        ...{ when: { cron: '0 5 * * *', timeZone: 'Europe/Berlin' }, missed: 'skip', paused: null },
        steps: [{ kind: 'backup', onFailure: 'stop' }],
        ...{ nextAt: Date.now() + 36_000_000, plannedAt: Date.now() },
      })
    }
  } finally {
    await store.close()
  }
}
