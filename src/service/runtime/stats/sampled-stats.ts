import type { ContainerStats } from '../../../contract/areas/servers.ts'
import { DiskUsage } from './disk-usage.ts'
import type { RunningProgram, Usage } from '../programs/driver.ts'
import type { Phase } from '../server-phase.ts'
import type { ServerSpec } from '../types.ts'

interface SampleSource {
  spec: ServerSpec
  program: RunningProgram | null
  phase: Phase['kind']
}

export class SampledStats {
  readonly #now: () => SampleSource
  readonly #changed: () => void
  #newest: ContainerStats | null = null
  #disk: DiskUsage

  constructor(now: () => SampleSource, changed: () => void) {
    this.#now = now
    this.#changed = changed
    this.#disk = new DiskUsage(now().spec.folder)
  }

  get newest(): ContainerStats | null {
    return this.#newest
  }

  /** Takes a first sample if needed (specification §3). */
  async now(): Promise<ContainerStats | null> {
    if (this.#now().phase === 'online' && !this.#newest) await this.sample()
    return this.#newest
  }

  moved(): void {
    this.#disk = new DiskUsage(this.#now().spec.folder)
  }

  forget(): void {
    this.#newest = null
  }

  soon(): void {
    void this.sample().catch(() => undefined)
  }

  async sample(): Promise<void> {
    const { program } = this.#now()
    const usage = await program?.usage()
    const now = this.#now()
    if (!program || !usage || now.phase !== 'online' || now.program !== program) return
    this.#newest = statsOf(usage, program.startedAt, now.spec, this.#disk)
    this.#changed()
  }
}

/** `startedAt`: by `performance.now`. */
function statsOf(usage: Usage, startedAt: number, spec: ServerSpec, disk: DiskUsage): ContainerStats {
  return {
    cpuPercent: Math.round(usage.cpuPercent * 10) / 10,
    memoryBytes: usage.memoryBytes,
    memoryLimitBytes: spec.memoryMb * 1024 * 1024,
    diskBytes: disk.bytes,
    networkRxBytes: usage.networkRxBytes ?? null,
    networkTxBytes: usage.networkTxBytes ?? null,
    uptimeSeconds: Math.floor((performance.now() - startedAt) / 1000),
    // No server reports it.
    tps: null,
  }
}
