import type { z } from 'zod'
import type { ServerConfigChange, ServerConfig } from '../../../contract/areas/server-config.ts'
import type { DriverName } from '../../../contract/areas/values/container-config.ts'
import type { Server } from '../../../contract/areas/servers.ts'
import type { AccessGrant } from '../../base/access.ts'
import { isoTime } from '../../base/clock.ts'
import { memoryMb } from '../../../host/computer-memory.ts'
import { gameHost, networkAddresses, openToOf } from '../../base/game-host.ts'
import { isLoopback, isWildcard } from '../../base/host.ts'
import type { CatalogEntry, Runtime, RuntimeStatusInput, ServerSpec } from '../../runtime/types.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import type { RequestContext } from '../../http/serve.ts'
import type { ServerChange, ServerRow } from '../../store/servers.ts'
import type { SettingsSnapshot } from './server-settings.ts'

function serverView(
  row: ServerRow,
  held: AccessGrant['held'],
  address: { host: string; port: number },
  status: RuntimeStatusInput | null,
  catalog: CatalogEntry[],
  loadsAs: string | null,
): z.input<typeof Server> {
  const software = catalog.find((entry) => entry.id === row.softwareId)
  return {
    id: row.id,
    name: row.name,
    status: status?.status ?? null,
    software: {
      id: row.softwareId,
      name: software?.name ?? null,
      version: row.softwareVersion,
      ...(software?.isProxy && { proxy: true }),
      ...(loadsAs !== null && { loadsAs }),
    },
    address,
    players: status?.players ?? null,
    memoryMb: row.memoryMb,
    role: held === 'owner' ? held : [...held],
    createdAt: isoTime(row.createdAt),
    ran: row.ran,
  }
}

interface ConfigParts {
  settings: Pick<SettingsSnapshot, 'properties'>
  /** False: run settings cannot be chosen. */
  usesJava: boolean
  /** False for a proxy: who is on is not known. */
  sleeps: boolean
  drivers: readonly DriverName[]
  runs: ServerSpec | null
  host: string
  linksOut: string[]
  /** To choose from. */
  nodes: readonly string[]
}

const NODES_MOST = 1000

export function configView(row: ServerRow, parts: ConfigParts): z.input<typeof ServerConfig> {
  const { settings, host, linksOut } = parts
  return {
    name: row.name,
    memoryMb: row.memoryMb,
    port: row.port,
    openTo: openToOf(row.openTo, host),
    ...(row.container === null ? runView(row, parts) : { container: row.container }),
    ...(linksOut.length > 0 && { linksOut }),
    properties: settings.properties,
  }
}

/** How it is to be run, where that is ours to decide. */
const runView = (row: ServerRow, { usesJava, sleeps, drivers, runs, nodes }: ConfigParts) => ({
  ...(runs && { running: runningView(runs, usesJava) }),
  ...(usesJava && {
    java: javaView(row.javaMajor),
    jvmSet: row.jvmSet,
    javaArgs: [...row.javaArgs],
  }),
  autoStart: row.autoStart,
  autoRestart: row.autoRestart,
  ...((drivers.length > 1 || row.driver !== 'process') && { driver: row.driver }),
  ...(row.cpus !== null && { cpus: row.cpus }),
  ...(row.node !== null && { node: row.node }),
  ...(nodes.length > 0 && { nodes: nodes.slice(0, NODES_MOST) }),
  ...(sleeps && { sleep: row.sleep ?? {} }),
  memoryMostMb: memoryMb(),
})

const javaView = (major: number | null): string => (major === null ? 'auto' : String(major))

const runningView = (runs: ServerSpec, usesJava: boolean) => ({
  memoryMb: runs.memoryMb,
  port: runs.port,
  openTo: openToOf(null, runs.host),
  driver: runs.driver ?? 'process',
  ...(usesJava && { java: javaView(runs.java?.major ?? null) }),
})

export const configChange = ({
  java,
  properties: _inItsFile,
  ...change
}: z.output<typeof ServerConfigChange>): ServerChange => ({
  ...change,
  ...(java !== undefined && { javaMajor: java === 'auto' ? null : Number(java) }),
})

/** Changes with every change of the row or the settings file. */
export const configTag = (row: ServerRow, { mark }: Pick<SettingsSnapshot, 'mark'>): string =>
  `"${row.id}.${row.revision}.${mark}"`

/** Without `If-Match`, changes always go through, since they name single fields. */
export function matches(ifMatch: string | undefined, tag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((one) => one.trim() === tag)
}

/** While running, the host it was started with. */
export const listensAt = (
  row: Pick<ServerRow, 'port' | 'openTo'>,
  runs: Pick<ServerSpec, 'host' | 'port'> | null,
  host: string,
): { host: string; port: number } => ({
  host: runs?.host ?? gameHost(row.openTo, host),
  port: runs?.port ?? row.port,
})

/** `callerHost`: as in the caller's request, which reached this computer. */
function hostToJoin(listening: string, callerHost: string): string {
  if (!isWildcard(listening)) return listening
  if (!isLoopback(bareHost(callerHost))) return callerHost
  return networkAddresses()[0] ?? callerHost
}

export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

export const serverViews =
  (
    host: string,
    runtime: Pick<Runtime, 'status' | 'catalog' | 'runs'>,
    records: Pick<InstalledRecords, 'kindOfJar'>,
  ) =>
  (row: ServerRow, held: AccessGrant['held'], c: RequestContext): z.input<typeof Server> => {
    const at = listensAt(row, runtime.runs(row.id), host)
    const address = { ...at, host: hostToJoin(at.host, new URL(c.req.url).hostname) }
    const loadsAs = records.kindOfJar(row)
    return serverView(row, held, address, runtime.status(row.id), runtime.catalog(), loadsAs)
  }
