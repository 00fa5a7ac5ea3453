import type { Logger } from 'pino'
import { DRIVERS, type DriverName } from '../../contract/areas/values/container-config.ts'
import { refusal } from '../base/refusal.ts'
import type { Say } from '../software/software.ts'
import { ContainerDriver } from './containers/container-driver.ts'
import type { EngineSettings } from './containers/engine.ts'
import type { Driver, LineConsumer, ProgramSpec, RunningProgram, Survivor } from './programs/driver.ts'
import { ProcessDriver } from './processes/process-driver.ts'
import type { CatalogEntry, ServerSpec } from './types.ts'

interface DriverOptions {
  dataDir: string
  survivorMs: number
  /** Absent: no containers. */
  engine?: EngineSettings | null
  log: Logger
}

/** Each server's own driver. */
export class Drivers implements Driver {
  readonly #process: ProcessDriver
  readonly #containers: ContainerDriver | null

  private constructor(process: ProcessDriver, containers: ContainerDriver | null) {
    this.#process = process
    this.#containers = containers
  }

  static async create({ dataDir, survivorMs, engine, log }: DriverOptions): Promise<Drivers> {
    const process = await ProcessDriver.create(dataDir, survivorMs)
    const containers = engine ? await ContainerDriver.create(engine, { service: dataDir, log }) : null
    return new Drivers(process, containers)
  }

  get survivors(): ReadonlyMap<string, Survivor> {
    return new Map([...this.#process.survivors, ...(this.#containers?.survivors ?? [])])
  }

  start(spec: ServerSpec, program: ProgramSpec, take: LineConsumer, say: Say): Promise<RunningProgram> {
    return this.#of(spec).start(spec, program, take, say)
  }

  within(spec: ServerSpec): ServerSpec {
    return this.#of(spec).within(spec)
  }

  cutOff(program: ProgramSpec, spec: ServerSpec): Promise<ProgramSpec | null> {
    return this.#of(spec).cutOff(program, spec)
  }

  /** For servers of this software. A proxy reaches the others by this computer's own address. */
  offered(software: Pick<CatalogEntry, 'isProxy'> | undefined): readonly DriverName[] {
    return this.#containers && !software?.isProxy ? DRIVERS : ['process']
  }

  /** Ends what runs on without a server of the list, such as a backup that was tried. */
  clear(isServer: (id: string) => boolean): void {
    for (const [id, survivor] of this.#containers?.survivors ?? [])
      if (survivor.kind === 'running' && !isServer(id))
        survivor.resume(() => undefined, Promise.resolve(null)).kill()
  }

  async close(): Promise<void> {
    await this.#containers?.close()
  }

  /** Throws 409 `engine.none`. */
  #of({ driver }: ServerSpec): Driver {
    if (driver !== 'docker') return this.#process
    if (!this.#containers) throw refusal(409, 'engine.none')
    return this.#containers
  }
}
