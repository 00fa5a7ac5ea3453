import { join } from 'node:path'
import type { ConsoleLimits } from '../console/console-log.ts'
import { ConsoleLog } from '../console/console-log.ts'
import { Refusal } from '../refusal.ts'
import { demoSoftware } from '../software/demo/demo.ts'
import { floodSoftware } from '../software/flood/flood.ts'
import type { Software } from '../software/software.ts'
import type { StopLimits } from './driver.ts'
import type { EventStream } from './event-stream.ts'
import { ManagedServer } from './managed-server.ts'
import { ProcessDriver } from './process-driver.ts'
import { mountRoutes } from './routes.ts'
import type { Runtime, RuntimeOptions } from './types.ts'

/** How often statistics are read, in milliseconds. */
const SAMPLE_MS = 2_000

/** A stop saves the world, which may take its time. */
const patient: StopLimits = { commandMs: 30_000, termMs: 10_000 }
const hurried: StopLimits = { commandMs: 5_000, termMs: 3_000 }

/** Beyond `RuntimeOptions`, for tests and benches. */
export interface RuntimeTuning {
  stop?: StopLimits
  /** How long a survivor has after TERM, in milliseconds. */
  survivorMs?: number
  console?: Partial<ConsoleLimits>
  /** Offers the flood program. Default: whether WHEELHOUSE_BENCH=1 is set. */
  bench?: boolean
  /** Files of launchers that lie elsewhere. */
  launchers?: { demo?: string; flood?: string }
}

/** Makes the runtime. Programs that an earlier service left running are found now, and stopped behind the scenes. */
export async function createRuntime(options: RuntimeOptions & RuntimeTuning): Promise<Runtime> {
  const { dataDir, epoch, nodePath, log, launchers } = options
  const driver = await ProcessDriver.create(dataDir, options.survivorMs ?? 30_000)
  const software = new Map<string, Software>()
  const bench = options.bench ?? process.env.WHEELHOUSE_BENCH === '1'
  for (const kind of [
    demoSoftware(nodePath, launchers?.demo),
    bench ? floodSoftware(nodePath, launchers?.flood) : null,
  ])
    if (kind) software.set(kind.id, kind)

  const servers = new Map<string, ManagedServer>()
  const streams = new Set<EventStream>()
  let consolesClosed: Promise<unknown> | null = null
  const sampling = setInterval(() => {
    for (const server of servers.values())
      void server.sample().catch((error: unknown) => log.warn({ err: error }, 'statistics could not be read'))
  }, SAMPLE_MS)
  sampling.unref()

  function find(serverId: string): ManagedServer {
    const server = servers.get(serverId)
    if (!server)
      throw new Refusal(404, 'server.not-found', 'This server does not exist. It may have been deleted.')
    return server
  }

  const isDown = (serverId: string): boolean => servers.get(serverId)?.isDown ?? true

  function runsOnPort(port: number, exceptId: string): string | null {
    for (const server of servers.values())
      if (server.spec.id !== exceptId && server.spec.port === port && !server.isDown) return server.spec.name
    return null
  }

  return {
    catalogue: () =>
      [...software.values()].map(({ id, name, description, versions }) => ({
        id,
        name,
        description,
        versions,
      })),

    add(spec) {
      if (servers.has(spec.id)) throw new Error(`The server ${spec.id} was added before`)
      const console = new ConsoleLog(
        join(dataDir, 'console', encodeURIComponent(spec.id)),
        epoch,
        options.console,
      )
      const ports = {
        driver,
        console,
        softwareOf: (id: string) => software.get(id) ?? null,
        limits: options.stop ?? patient,
        runsOnPort,
      }
      const server = new ManagedServer(spec, ports)
      servers.set(spec.id, server)
      let told: unknown = server.status().status
      server.changes.on((change) => {
        const { status } = server.status()
        if (change !== 'status' || status === told) return
        told = status
        log.info({ serverId: spec.id, status }, 'server status')
      })
    },

    update: (spec) => servers.get(spec.id)?.update(spec),

    isDown,

    requireDown(serverId) {
      if (!isDown(serverId))
        throw new Refusal(409, 'server.running', 'The server is running. Stop it first, then delete it.')
    },

    forget(serverId) {
      const server = servers.get(serverId)
      servers.delete(serverId)
      for (const stream of [...streams]) stream.drop(serverId)
      return server?.console.destroy() ?? Promise.resolve()
    },

    status: (serverId) => servers.get(serverId)?.status() ?? null,

    tellJob: (serverId, job) => servers.get(serverId)?.tellJob(job),

    mount: (app) => mountRoutes(app, { find, software, streams }),

    async close(hurry = false) {
      clearInterval(sampling)
      const limits = hurry ? hurried : (options.stop ?? patient)
      await Promise.all([...servers.values()].map((server) => server.shutDown(limits)))
      await Promise.all(driver.survivors.values())
      for (const stream of [...streams]) stream.end()
      // Once, also where a second call came to hurry. The servers stay known: what is under way still asks for them.
      await (consolesClosed ??= Promise.all([...servers.values()].map((server) => server.console.close())))
    },
  }
}
