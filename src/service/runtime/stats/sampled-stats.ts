import type { ContainerStats } from '../../../contract/areas/servers.ts'
import { DiskUsage } from './disk-usage.ts'
import type { RunningProgram } from '../processes/driver.ts'
import { statsOf } from './stats.ts'
import type { ServerSpec } from '../types.ts'

/** What of a server its statistics are taken of. */
export interface Sampled {
  spec: ServerSpec
  /** Its program; null while there is none. */
  program: RunningProgram | null
  isOnline: boolean
}

/** The statistics of one server, as they were read last. */
export class SampledStats {
  readonly #now: () => Sampled
  readonly #changed: () => void
  #newest: ContainerStats | null = null
  #disk: DiskUsage

  constructor(now: () => Sampled, changed: () => void) {
    this.#now = now
    this.#changed = changed
    this.#disk = new DiskUsage(now().spec.folder)
  }

  /** Null unless the server is online. */
  get newest(): ContainerStats | null {
    return this.#newest
  }

  /** The same, and where nothing was read yet, it is read now (specification §3). */
  async now(): Promise<ContainerStats | null> {
    if (this.#now().isOnline && !this.#newest) await this.sample()
    return this.#newest
  }

  /** The folder of the server is another one. */
  moved(): void {
    this.#disk = new DiskUsage(this.#now().spec.folder)
  }

  /** The server is not online any more. */
  forget(): void {
    this.#newest = null
  }

  /** Takes a reading without being waited for. Where nothing can be read now, it is read with the next one. */
  soon(): void {
    void this.sample().catch(() => undefined)
  }

  /** Takes a reading; does nothing while no program runs. */
  async sample(): Promise<void> {
    const { program } = this.#now()
    const usage = await program?.usage()
    const now = this.#now()
    if (!program || !usage || !now.isOnline || now.program !== program) return
    this.#newest = statsOf(usage, program.startedAt, now.spec, this.#disk)
    this.#changed()
  }
}
