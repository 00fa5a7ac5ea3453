import type { Logger } from 'pino'
import { DRIVERS, type DriverName } from '../../contract/areas/values/container-config.ts'
import { refusal } from '../../host/refusal.ts'
import type { Say } from '../software/software.ts'
import { AdoptedDriver, type AdoptedServer } from './containers/adopted-driver.ts'
import { ContainerDriver } from './containers/container-driver.ts'
import type { EngineSettings } from './containers/engine.ts'
import type { Servers } from './containers/links.ts'
import type {
  Driver,
  LineConsumer,
  Nodes,
  ProgramSpec,
  RunningProgram,
  Survivor,
  SurvivorSearch,
} from './programs/driver.ts'
import { Fence } from './containers/fence.ts'
import { SwarmDriver } from './containers/swarm-driver.ts'
import { ProcessDriver } from './processes/process-driver.ts'
import { ServerMarks } from './server-marks.ts'
import type { ServerSpec } from './types.ts'

interface DriverOptions {
  dataDir: string
  survivorMs: number
  /** Absent: no containers. */
  engine?: EngineSettings | null
  adopted?: readonly AdoptedServer[]
  servers: Servers
  log: Logger
}

/** Its programs outlive the service. */
interface ContainersDriver extends Driver {
  search(): SurvivorSearch
  close(): Promise<void>
}

/** Each server's own driver. */
export class Drivers implements Driver {
  readonly #dataDir: string
  readonly #process: ProcessDriver
  readonly #containers: ContainersDriver | null
  readonly #adopted: AdoptedDriver | null
  /** Servers that may have a container, whatever their settings say now. */
  readonly #contained: ServerMarks
  /** All servers were added: later ones are new and left nothing. */
  #isListed = false

  private constructor(
    dataDir: string,
    contained: ServerMarks,
    process: ProcessDriver,
    containers: ContainersDriver | null,
    adopted: AdoptedDriver | null,
  ) {
    this.#dataDir = dataDir
    this.#contained = contained
    this.#process = process
    this.#containers = containers
    this.#adopted = adopted
  }

  static async create({
    dataDir,
    survivorMs,
    engine,
    adopted = [],
    servers,
    log,
  }: DriverOptions): Promise<Drivers> {
    const process = await ProcessDriver.create(dataDir, survivorMs)
    const containers = engine?.swarm ? SwarmDriver : ContainerDriver
    const ofEngine = engine ? await containers.create(engine, { service: dataDir, servers, log }) : null
    const contained = new ServerMarks(dataDir, 'contained')
    const ports = { log, running: contained }
    const ofOthers = engine ? await AdoptedDriver.create(engine, adopted, ports) : null
    return new Drivers(dataDir, contained, process, ofEngine, ofOthers)
  }

  get nodes(): Nodes | undefined {
    return this.#containers?.nodes
  }

  get foreign(): AdoptedDriver | null {
    return this.#adopted
  }

  /** `found`: as in `AdoptedDriver`. */
  follow({ id, folder, container }: ServerSpec, found: () => void): void {
    if (container) this.#adopted?.follow({ id, folder, container }, found)
  }

  forget(serverId: string): void {
    this.#adopted?.forget(serverId)
  }

  get survivors(): ReadonlyMap<string, Survivor> {
    const inContainers = [this.#containers, this.#adopted].flatMap((driver) => [...(driver?.survivors ?? [])])
    return new Map([...this.#process.survivors, ...inContainers])
  }

  async start(spec: ServerSpec, program: ProgramSpec, take: LineConsumer, say: Say): Promise<RunningProgram> {
    const driver = this.#of(spec)
    if (driver === this.#adopted) return driver.start(spec, program, take, say)
    const isOnNode = driver === this.#containers && this.nodes !== undefined
    if (!isOnNode) await new Fence(this.#dataDir, spec.id).take()
    if (driver === this.#containers) this.#contained.set(spec.id)
    const running = await driver.start(spec, program, take, say)
    if (driver === this.#process) this.#contained.clear(spec.id)
    return running
  }

  search({ id, driver, container }: ServerSpec): SurvivorSearch | null {
    if (container) return this.#adopted?.search() ?? noEngine
    const mayRun = driver === 'docker' || this.#contained.has(id)
    return mayRun && !this.#isListed ? (this.#containers?.search() ?? null) : null
  }

  within(spec: ServerSpec): ServerSpec {
    return this.#of(spec).within(spec)
  }

  cutOff(program: ProgramSpec, spec: ServerSpec): Promise<ProgramSpec | null> {
    return this.#of(spec).cutOff(program, spec)
  }

  get offered(): readonly DriverName[] {
    return this.#containers ? DRIVERS : ['process']
  }

  /** Ends what runs on without a server of the list, such as a backup that was tried. */
  async clear(isServer: (id: string) => boolean): Promise<void> {
    this.#isListed = true
    await this.#containers?.search().done
    for (const [id, survivor] of this.#containers?.survivors ?? [])
      if (survivor.kind === 'running' && !isServer(id))
        survivor.resume(() => undefined, Promise.resolve(null)).kill()
  }

  async close(): Promise<void> {
    await Promise.all([this.#containers?.close(), this.#adopted?.close()])
  }

  /** Throws 409 `engine.none`, `adopted.no-engine`. */
  #of({ driver, container }: ServerSpec): Driver {
    if (container && this.#adopted) return this.#adopted
    if (container) throw withoutEngine()
    if (driver !== 'docker') return this.#process
    if (!this.#containers) throw refusal(409, 'engine.none')
    return this.#containers
  }
}

const withoutEngine = () => refusal(409, 'adopted.no-engine')

/** Whether it runs, nobody knows. */
const noEngine: SurvivorSearch = {
  missing: withoutEngine(),
  done: new Promise(() => undefined),
  look: () => Promise.resolve(),
}
