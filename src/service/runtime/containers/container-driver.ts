import { z } from 'zod'
import type { Logger } from 'pino'
import { refusal } from '../../../host/refusal.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../../software/software.ts'
import type { Driver, LineConsumer, ProgramSpec, RunningProgram, Survivor } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { ContainerProgram, type ContainerOrigin, ContainerState } from './container-program.ts'
import { Engine, EngineFault, type EngineInfo, type EngineSettings } from './engine.ts'
import { refusalOf } from './engine-refusals.ts'
import { hideMetadata, makeNetwork, makeNowhere, removeNetwork } from './networks.ts'
import { containerName, containerOf, LABELS, logOf } from './recipe.ts'
import { EngineSearch } from './engine-search.ts'
import { LinkNetworks } from './link-networks.ts'
import { linksOf, relayed, type Servers, tellUnreached } from './links.ts'

export interface DriverPorts {
  /** The folder of the service, by which its containers are known. */
  service: string
  servers: Servers
  log: Logger
}

const Listed = z.array(z.object({ Id: z.string(), Labels: z.record(z.string(), z.string()).nullish() }))

/** Runs each server in a container of its own. Containers outlive the service. */
export class ContainerDriver implements Driver {
  readonly survivors = new Map<string, Survivor>()
  readonly #engine: Engine
  readonly #settings: EngineSettings
  readonly #ports: DriverPorts
  /** Of containers that have ended, by server. */
  readonly #removals = new Map<string, Promise<unknown>>()
  readonly #search: EngineSearch
  readonly #links: LinkNetworks

  private constructor(settings: EngineSettings, ports: DriverPorts) {
    this.#settings = settings
    this.#ports = ports
    this.#engine = new Engine(settings)
    this.#links = new LinkNetworks(this.#engine, ports.service)
    this.#search = new EngineSearch(() => this.#findSurvivors(), settings)
  }

  /** Finds what runs on from an earlier service. An engine that isn't there yet is no reason not to start. */
  static async create(settings: EngineSettings, ports: DriverPorts): Promise<ContainerDriver> {
    const driver = new ContainerDriver(settings, ports)
    const fault = await driver.#search.begin()
    if (fault)
      ports.log.warn({ err: fault, address: settings.address }, 'the container engine could not be asked')
    return driver
  }

  search(): EngineSearch {
    return this.#search
  }

  async #findSurvivors(): Promise<void> {
    const filters = JSON.stringify({ label: [`${LABELS.service}=${this.#ports.service}`] })
    for (const { Id, Labels } of await this.#engine.get('/containers/json', Listed, { all: true, filters })) {
      const serverId = Labels?.[LABELS.server]
      if (serverId)
        await this.#keep(serverId, Id).catch((error: unknown) =>
          this.#ports.log.warn({ err: error, serverId }, 'a container could not be looked at'),
        )
    }
  }

  async #keep(serverId: string, id: string): Promise<void> {
    const { State } = await this.#engine.get(`/containers/${id}/json`, ContainerState)
    // Made, but not started: the service was ended in between.
    if (State.Status === 'created') return this.#remove(serverId, id)
    const resume: Extract<Survivor, { kind: 'running' }>['resume'] = (take, resumed) => {
      this.survivors.delete(serverId)
      return this.#watched(serverId, { id, startedAt: Date.parse(State.StartedAt), resumed }, take)
    }
    this.survivors.set(serverId, { kind: 'running', resume })
  }

  within(spec: ServerSpec): ServerSpec {
    return { ...spec, host: '0.0.0.0' }
  }

  cutOff(program: ProgramSpec): Promise<ProgramSpec> {
    return Promise.resolve({ ...program, isCutOff: true })
  }

  async start(spec: ServerSpec, program: ProgramSpec, take: LineConsumer, say: Say): Promise<RunningProgram> {
    try {
      await this.#search.look()
      // A restart comes right after the end.
      await this.#removals.get(spec.id)
      await this.#clear(spec.id)
      const proxied = linksOf(spec, program, this.#ports.servers)
      const [info, network, addresses] = await Promise.all([
        this.#engine.info(),
        program.isCutOff ? '' : makeNetwork(this.#engine, spec.id, this.#ports.service),
        this.#links.make(spec.id, proxied.links),
        program.isCutOff ? null : makeNowhere(this.#engine),
      ])
      this.#tellLimits(info, spec, say)
      tellUnreached(proxied, say)
      const whole = relayed(program, addresses, this.#ports.service)
      const id = await this.#create(spec, whole, network, logOf(info)).catch(async (error: unknown) => {
        await this.#removeNetworks(spec.id).catch(() => undefined)
        throw error
      })
      try {
        if (!program.isCutOff) await hideMetadata(this.#engine, id)
        if (!program.isCutOff) await this.#links.join(spec.id, id)
        await this.#engine.post(`/containers/${id}/start`)
      } catch (error) {
        await this.#remove(spec.id, id).catch(() => undefined)
        throw error
      }
      return this.#watched(spec.id, { id, startedAt: Date.now() }, take)
    } catch (error) {
      throw error instanceof EngineFault ? refusalOf(error, this.#settings, spec) : error
    }
  }

  async close(): Promise<void> {
    this.#search.close()
    await Promise.all(this.#removals.values())
    await this.#engine.close()
  }

  async #create(
    spec: ServerSpec,
    program: ProgramSpec,
    network: string,
    log: ReturnType<typeof logOf>,
  ): Promise<string> {
    const { service } = this.#ports
    const user = process.getuid && `${process.getuid()}:${process.getgid?.() ?? 0}`
    const body = containerOf(spec, program, {
      ...{ image: this.#settings.image, service, user, network, log },
    })
    const answer = await this.#engine.post('/containers/create', { name: containerName(spec.id) }, body)
    return z.object({ Id: z.string() }).parse(answer).Id
  }

  /** What is left of an earlier start. One that runs is never replaced: it writes the server's folder. */
  async #clear(serverId: string): Promise<void> {
    const state = await this.#engine
      .get(`/containers/${containerName(serverId)}/json`, ContainerState)
      .catch((error: unknown) => {
        if (error instanceof EngineFault && error.status === 404) return null
        throw error
      })
    if (!state) return
    if (state.Config?.Labels?.[LABELS.service] !== this.#ports.service || state.State.Running)
      throw refusal(409, 'engine.runs-already', { container: containerName(serverId) })
    await this.#remove(serverId, state.Id)
  }

  #watched(serverId: string, of: ContainerOrigin, take: LineConsumer): RunningProgram {
    const program = new ContainerProgram(this.#engine, of, take)
    program.onExit(() => {
      const removed = this.#remove(serverId, of.id)
        .catch((error: unknown) =>
          this.#ports.log.warn({ err: error, serverId }, 'a container could not be removed'),
        )
        .finally(() => this.#removals.delete(serverId))
      this.#removals.set(serverId, removed)
    })
    return program
  }

  async #remove(serverId: string, containerId: string): Promise<void> {
    await this.#engine.delete(`/containers/${containerId}`, { force: true, v: true })
    await this.#removeNetworks(serverId)
  }

  async #removeNetworks(serverId: string): Promise<void> {
    await removeNetwork(this.#engine, serverId)
    await this.#links.remove(serverId)
  }

  #tellLimits({ MemoryLimit, CpuCfsQuota }: EngineInfo, { cpus }: ServerSpec, say: Say): void {
    if (!MemoryLimit) say(refusalText('console.memory-unlimited'))
    if (!CpuCfsQuota && cpus) say(refusalText('console.cpu-unlimited'))
  }
}
