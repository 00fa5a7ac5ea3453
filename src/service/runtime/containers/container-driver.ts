import { z } from 'zod'
import type { Logger } from 'pino'
import { refusal, type Refusal } from '../../base/refusal.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../../software/software.ts'
import type { Driver, LineConsumer, ProgramSpec, RunningProgram, Survivor } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { ContainerProgram, ContainerState } from './container-program.ts'
import { Engine, EngineFault, type EngineInfo, type EngineSettings } from './engine.ts'
import { hideMetadata, makeNetwork, makeNowhere, removeNetwork } from './networks.ts'
import { containerName, containerOf, LABELS } from './recipe.ts'

interface DriverPorts {
  /** The folder of the service, by which its containers are known. */
  service: string
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

  private constructor(settings: EngineSettings, ports: DriverPorts) {
    this.#settings = settings
    this.#ports = ports
    this.#engine = new Engine(settings)
  }

  /** Finds what runs on from an earlier service. An engine that isn't there yet is no reason not to start. */
  static async create(settings: EngineSettings, ports: DriverPorts): Promise<ContainerDriver> {
    const driver = new ContainerDriver(settings, ports)
    try {
      await driver.#findSurvivors()
    } catch (error) {
      ports.log.warn({ err: error, address: settings.address }, 'the container engine could not be asked')
    }
    return driver
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
      // A restart comes right after the end.
      await this.#removals.get(spec.id)
      await this.#clear(spec.id)
      const [info, network] = await Promise.all([
        this.#engine.info(),
        program.isCutOff ? '' : makeNetwork(this.#engine, spec.id, this.#ports.service),
        program.isCutOff ? null : makeNowhere(this.#engine),
      ])
      this.#tellLimits(info, spec, say)
      const id = await this.#create(spec, program, network).catch(async (error: unknown) => {
        await removeNetwork(this.#engine, spec.id).catch(() => undefined)
        throw error
      })
      try {
        if (!program.isCutOff) await hideMetadata(this.#engine, id)
        await this.#engine.post(`/containers/${id}/start`)
      } catch (error) {
        await this.#remove(spec.id, id).catch(() => undefined)
        throw error
      }
      return this.#watched(spec.id, { id, startedAt: Date.now() }, take)
    } catch (error) {
      throw this.#refusalOf(error, spec)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#removals.values())
    await this.#engine.close()
  }

  async #create(spec: ServerSpec, program: ProgramSpec, network: string): Promise<string> {
    const { service } = this.#ports
    const user = process.getuid && `${process.getuid()}:${process.getgid?.() ?? 0}`
    const body = containerOf(spec, program, { ...{ image: this.#settings.image, service, user, network } })
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

  #watched(
    serverId: string,
    of: ConstructorParameters<typeof ContainerProgram>[1],
    take: LineConsumer,
  ): RunningProgram {
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
    await removeNetwork(this.#engine, serverId)
  }

  #tellLimits({ MemoryLimit, CpuCfsQuota }: EngineInfo, { cpus }: ServerSpec, say: Say): void {
    if (!MemoryLimit) say(refusalText('console.memory-unlimited'))
    if (!CpuCfsQuota && cpus) say(refusalText('console.cpu-unlimited'))
  }

  #refusalOf(error: unknown, { port }: ServerSpec): unknown {
    if (!(error instanceof EngineFault)) return error
    return refusalOf(error, this.#settings, port)
  }
}

function refusalOf(
  { status, code, message }: EngineFault,
  { address, image }: EngineSettings,
  port: number,
): Refusal {
  if (code === 'EACCES' || code === 'EPERM') return refusal(409, 'engine.denied', { address })
  if (status === 0) return refusal(409, 'engine.not-reached', { address, why: code || message })
  if (/no such image/i.test(message)) return refusal(409, 'engine.no-image', { image })
  if (/port is already allocated|address already in use/i.test(message))
    return refusal(409, 'server.port-taken', { port: String(port) })
  if (/no space left on device/i.test(message)) return refusal(409, 'engine.full')
  return refusal(409, 'engine.failed', { why: message })
}
