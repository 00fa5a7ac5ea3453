import type { ContainerStats } from '../../../contract/areas/servers.ts'
import type { DiskUsage } from './disk-usage.ts'
import type { Usage } from '../processes/driver.ts'
import type { ServerSpec } from '../types.ts'

/** `startedAt`: by `performance.now`. */
export function statsOf(usage: Usage, startedAt: number, spec: ServerSpec, disk: DiskUsage): ContainerStats {
  return {
    cpuPercent: Math.round(usage.cpuPercent * 10) / 10,
    memoryBytes: usage.memoryBytes,
    memoryLimitBytes: spec.memoryMb * 1024 * 1024,
    diskBytes: disk.bytes,
    networkRxBytes: null,
    networkTxBytes: null,
    uptimeSeconds: Math.floor((performance.now() - startedAt) / 1000),
    // No server reports it.
    tps: null,
  }
}
