import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { refusal } from '../../../host/refusal.ts'
import type { Say } from '../../software/software.ts'
import type { Driver, LineConsumer, ProgramSpec, RunningProgram, Survivor } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { ContainerDriver, type DriverPorts } from './container-driver.ts'
import type { ContainerOrigin } from './container-program.ts'
import { Engine, EngineFault, type EngineSettings } from './engine.ts'
import { swarmRefusalOf } from './engine-refusals.ts'
import { EngineSearch } from './engine-search.ts'
import { linksOf, relayed, tellUnreached } from './links.ts'
import { Fence } from './fence.ts'
import { makeOverlay, removeNetwork } from './networks.ts'
import { NodeWatch } from './node-watch.ts'
import { containerName, LABELS, memoryWithRoom } from './recipe.ts'
import { SwarmNodes } from './swarm-nodes.ts'
import { SwarmProgram } from './swarm-program.ts'
import { serviceOf } from './swarm-recipe.ts'

/** An image may have to be fetched by the node first. */
const RUNNING_MS = 120_000
/** How long nodes may all be full, such as while a server that was just stopped is still there. */
const NO_ROOM_MS = 10_000
/** Pauses between looks at a task that is being started, in ms: this one first, and then longer. */
const [LOOK_MS, LOOK_MOST_MS] = [10, 200]
const NETWORK_MS = 5_000
/** How the engine begins to say that a program has ended by itself. */
const EXITED = 'task: non-zero exit'
const MISSING = 404

const Listed = z.array(
  z.object({ ID: z.string(), Spec: z.object({ Labels: z.record(z.string(), z.string()).nullish() }) }),
)

const Task = z.object({
  ID: z.string(),
  CreatedAt: z.string().default(''),
  NodeID: z.string().default(''),
  DesiredState: z.string().default(''),
  Status: z.object({
    State: z.string(),
    Timestamp: z.string().default(''),
    Err: z.string().default(''),
    ContainerStatus: z.object({ ContainerID: z.string().default('') }).nullish(),
  }),
})
type Task = z.output<typeof Task>

const Networks = z.array(z.object({ Driver: z.string(), Labels: z.record(z.string(), z.string()).nullish() }))

/** They will never run (again). */
const OVER = new Set(['complete', 'failed', 'shutdown', 'rejected', 'orphaned', 'remove'])

/**
 * Runs each server as a service of one task on a Swarm, whose engine chooses the node. The engine starts none of them
 * again by itself, and a fence keeps a second one from its folder.
 */
export class SwarmDriver implements Driver {
  readonly nodes: SwarmNodes
  readonly #survivors = new Map<string, Survivor>()
  readonly #engine: Engine
  readonly #watch: NodeWatch
  readonly #settings: EngineSettings
  readonly #ports: DriverPorts
  /** For programs that are cut off. They need no node of their own. */
  readonly #local: ContainerDriver
  /** Servers that are being started, or run. */
  readonly #active = new Set<string>()
  /** Servers that these proxies reach in the servers' own networks. */
  readonly #reached = new Map<string, readonly string[]>()
  /** Of services that have ended, by server. */
  readonly #removals = new Map<string, Promise<unknown>>()
  readonly #search: EngineSearch
  #isClosed = false

  private constructor(settings: EngineSettings, ports: DriverPorts, local: ContainerDriver) {
    this.#settings = settings
    this.#ports = ports
    this.#local = local
    this.#engine = new Engine(settings)
    this.#search = new EngineSearch(() => this.#findSurvivors(), settings)
    const watch = (this.#watch = new NodeWatch(this.#engine, settings.swarm!.tls))
    this.nodes = new SwarmNodes(this.#engine, ports.service, (nodeId) => watch.placeOf(nodeId).goneSince)
  }

  static async create(settings: EngineSettings, ports: DriverPorts): Promise<SwarmDriver> {
    const driver = new SwarmDriver(settings, ports, await ContainerDriver.create(settings, ports))
    const fault = await driver.#search.begin()
    if (fault) ports.log.warn({ err: fault, address: settings.address }, 'the Swarm could not be asked')
    return driver
  }

  search(): EngineSearch {
    return this.#search
  }

  get survivors(): ReadonlyMap<string, Survivor> {
    return new Map([...this.#local.survivors, ...this.#survivors])
  }

  within(spec: ServerSpec): ServerSpec {
    return this.#local.within(spec)
  }

  cutOff(program: ProgramSpec): Promise<ProgramSpec> {
    return this.#local.cutOff(program)
  }

  async start(spec: ServerSpec, program: ProgramSpec, take: LineConsumer, say: Say): Promise<RunningProgram> {
    if (program.isCutOff) return this.#local.start(spec, program, take, say)
    if (isLoopback(spec.host)) throw refusal(409, 'node.only-here')
    this.#active.add(spec.id)
    try {
      await this.#search.look()
      // A restart comes right after the end.
      await this.#removals.get(spec.id)
      if (!(await this.#watch.isManager())) throw refusal(409, 'engine.no-manager')
      await this.#clear(spec.id)
      const fence = new Fence(this.#ports.service, spec.id)
      await this.#create(spec, this.#linked(spec, program, say), await fence.claim(), fence)
      // Its fence stays where that fails: nobody has seen its container end.
      return await this.#started(spec, take).catch(async (error: unknown) => {
        await this.#remove(spec.id).catch(() => undefined)
        throw error
      })
    } catch (error) {
      this.#active.delete(spec.id)
      this.#reached.delete(spec.id)
      throw error instanceof EngineFault ? swarmRefusalOf(error, this.#settings, spec) : error
    }
  }

  /** On whatever nodes its servers are, their names lead to them. */
  #linked(spec: ServerSpec, program: ProgramSpec, say: Say): ProgramSpec {
    const proxied = linksOf(spec, program, this.#ports.servers)
    tellUnreached(proxied, say)
    this.#reached.set(spec.id, [...new Set(proxied.links.values())])
    const hosts = new Map([...proxied.links].map(([port, serverId]) => [port, containerName(serverId)]))
    return relayed(program, hosts, this.#ports.service)
  }

  async #started(spec: ServerSpec, take: LineConsumer): Promise<RunningProgram> {
    const task = await this.#begun(spec)
    await this.#watch.look()
    const engine = await this.#watch.engineOf(task.NodeID)
    const bytes = memoryWithRoom(spec.memoryMb)
    try {
      // A service can't be kept from swapping, but its container can.
      await engine.post(`/containers/${containerOf(task)}/update`, {}, { Memory: bytes, MemorySwap: bytes })
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error
      const { node, address } = this.#watch.placeOf(task.NodeID)
      if (error.status === 0)
        throw refusal(409, 'node.engine-not-reached', { node, address, why: error.code || error.message })
      // It has ended already.
    }
    return this.#watched(spec.id, engine, { task }, take)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#search.close()
    await Promise.all(this.#removals.values())
    await Promise.all([this.#watch.close(), this.#local.close()])
    await this.#engine.close()
  }

  async #findSurvivors(): Promise<void> {
    await this.#watch.look()
    const filters = JSON.stringify({ label: [`${LABELS.service}=${this.#ports.service}`] })
    for (const { Spec } of await this.#engine.get('/services', Listed, { filters })) {
      const serverId = Spec.Labels?.[LABELS.server]
      if (serverId)
        await this.#keep(serverId).catch((error: unknown) =>
          this.#ports.log.warn({ err: error, serverId }, 'a service of the Swarm could not be looked at'),
        )
    }
  }

  async #keep(serverId: string): Promise<void> {
    const task = await this.#newestTask(serverId)
    // Made, but never begun: the service was ended in between.
    if (!task || !containerOf(task)) return this.#remove(serverId)
    const engine = await this.#watch.engineOf(task.NodeID)
    this.#survivors.set(serverId, {
      kind: 'running',
      resume: (take, resumed) => {
        this.#survivors.delete(serverId)
        return this.#watched(serverId, engine, { task, resumed }, take)
      },
    })
  }

  async #create(spec: ServerSpec, program: ProgramSpec, claim: string, fence: Fence): Promise<void> {
    const { service } = this.#ports
    const user = process.getuid && `${process.getuid()}:${process.getgid?.() ?? 0}`
    const networks: string[] = []
    for (const id of [spec.id, ...(this.#reached.get(spec.id) ?? [])]) {
      await this.#removals.get(id)
      networks.push(await makeOverlay(this.#engine, id, service))
    }
    const { image } = this.#settings
    const body = serviceOf(spec, program, {
      ...{ image, service, user, networks, fence: { folder: fence.folder, claim } },
    })
    await this.#engine.post('/services/create', {}, body)
  }

  /** Resolves once its program runs, or has run. */
  async #begun(spec: ServerSpec): Promise<Task> {
    const begin = performance.now()
    for (;;) {
      const task = await this.#newestTask(spec.id)
      const { State = 'new', Err = '' } = task?.Status ?? {}
      if (task && State === 'running' && containerOf(task)) return task
      if (task && (State === 'complete' || Err.startsWith(EXITED))) return task
      const late = performance.now() - begin
      if (OVER.has(State) || (Err && late > NO_ROOM_MS) || late > RUNNING_MS)
        throw new EngineFault(500, Err || `its task is ${State}`)
      await wait(Math.min(LOOK_MOST_MS, Math.max(LOOK_MS, late / 2)))
    }
  }

  async #newestTask(serverId: string): Promise<Task | null> {
    const filters = JSON.stringify({ service: [containerName(serverId)] })
    const tasks = await this.#engine.get('/tasks', z.array(Task), { filters })
    return tasks.sort((a, b) => (a.CreatedAt < b.CreatedAt ? 1 : -1))[0] ?? null
  }

  /** What is left of an earlier start. One that may run is never replaced: it writes the server's folder. */
  async #clear(serverId: string): Promise<void> {
    const name = containerName(serverId)
    const service = await this.#engine.get(`/services/${name}`, Listed.element).catch((error: unknown) => {
      if (error instanceof EngineFault && error.status === MISSING) return null
      throw error
    })
    if (!service) return
    const task = await this.#newestTask(serverId)
    const isOurs = service.Spec.Labels?.[LABELS.service] === this.#ports.service
    if (!isOurs || (task && !OVER.has(task.Status.State)))
      throw refusal(409, 'engine.runs-already', { container: name })
    await this.#remove(serverId)
  }

  #watched(
    serverId: string,
    engine: Engine,
    { task, resumed }: { task: Task; resumed?: ContainerOrigin['resumed'] },
    take: LineConsumer,
  ): RunningProgram {
    this.#active.add(serverId)
    const fence = new Fence(this.#ports.service, serverId)
    const startedAt = Date.parse(task.Status.Timestamp) || Date.now()
    const origin = { id: containerOf(task), startedAt, ...(resumed && { resumed }) }
    const of = { engine, nodeId: task.NodeID, nodes: this.#watch, fence }
    const program = new SwarmProgram(of, origin, take)
    program.onExit(() => {
      this.#active.delete(serverId)
      const isKnown = !program.place.isGone
      this.#removing(serverId, async () => {
        if (isKnown) await fence.clear()
        await this.#remove(serverId)
        this.#reached.delete(serverId)
        setTimeout(() => void this.#dropNetworks(), NETWORK_MS).unref()
      })
    })
    return program
  }

  /** Of servers that don't run. */
  async #dropNetworks(): Promise<void> {
    if (this.#isClosed) return
    const filters = JSON.stringify({ label: [`${LABELS.service}=${this.#ports.service}`] })
    const networks = await this.#engine.get('/networks', Networks, { filters }).catch(() => [])
    const needed = new Set([...this.#active, ...[...this.#reached.values()].flat()])
    for (const { Labels, Driver } of networks) {
      const serverId = Labels?.[LABELS.server]
      if (Driver !== 'overlay' || !serverId || needed.has(serverId) || this.#isClosed) continue
      // A task that has just ended, or a proxy, still holds it: the next end of a server looks again.
      this.#removing(serverId, () => removeNetwork(this.#engine, serverId).catch(unlessUsed))
    }
  }

  /** The next start waits for it. */
  #removing(serverId: string, act: () => Promise<void>): void {
    const done = Promise.resolve(this.#removals.get(serverId))
      .then(act)
      .catch((error: unknown) =>
        this.#ports.log.warn({ err: error, serverId }, 'something of an ended server could not be removed'),
      )
      .finally(() => {
        if (this.#removals.get(serverId) === done) this.#removals.delete(serverId)
      })
    this.#removals.set(serverId, done)
  }

  async #remove(serverId: string): Promise<void> {
    await this.#engine.delete(`/services/${containerName(serverId)}`)
  }
}

const containerOf = (task: Task): string => task.Status.ContainerStatus?.ContainerID ?? ''

function unlessUsed(error: unknown): void {
  if (!(error instanceof EngineFault && /in use|active endpoints/i.test(error.message))) throw error
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')
