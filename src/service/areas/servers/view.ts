import type { z } from 'zod'
import type { ChangeConfig, ServerConfig } from '../../../contract/areas/server-config.ts'
import type { Server } from '../../../contract/areas/servers.ts'
import type { Found } from '../../base/access.ts'
import { isoTime } from '../../base/clock.ts'
import { memoryMb } from '../../base/computer-memory.ts'
import { gameHost, networkAddresses, openToOf } from '../../base/game-host.ts'
import { isLoopback, isWildcard } from '../../base/host.ts'
import type { CatalogueEntry, Runtime, RuntimeStatusIn, ServerSpec } from '../../runtime/types.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import type { RequestContext } from '../../http/serve.ts'
import type { ServerChange, ServerRow } from '../../store/servers.ts'
import type { SettingsNow } from './server-settings.ts'

/** A server as the API shows it to who holds this at it. */
export function serverView(
  row: ServerRow,
  held: Found['held'],
  address: { host: string; port: number },
  status: RuntimeStatusIn | null,
  catalogue: CatalogueEntry[],
  loadsAs: string | null,
): z.input<typeof Server> {
  const software = catalogue.find((entry) => entry.id === row.softwareId)
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
  }
}

/** What a configuration is made of, beside its row. */
export interface ConfigParts {
  /** What its software's own settings file says. */
  settings: Pick<SettingsNow, 'properties'>
  /** Its software does; of others nobody can choose how they are run. */
  usesJava: boolean
  /** With what it was started, while it runs. */
  runs: ServerSpec | null
  /** Where the service listens. */
  host: string
  linksOut: string[]
}

export const configView = (
  row: ServerRow,
  { settings: { properties }, usesJava, runs, host, linksOut }: ConfigParts,
): z.input<typeof ServerConfig> => ({
  name: row.name,
  memoryMb: row.memoryMb,
  port: row.port,
  openTo: openToOf(row.openTo, host),
  ...(runs && { running: runningView(runs, usesJava) }),
  ...(usesJava && {
    java: javaView(row.javaMajor),
    jvmSet: row.jvmSet,
    javaArgs: [...row.javaArgs],
  }),
  autoStart: row.autoStart,
  autoRestart: row.autoRestart,
  memoryMostMb: memoryMb(),
  ...(linksOut.length > 0 && { linksOut }),
  properties,
})

const javaView = (major: number | null): string => (major === null ? 'auto' : String(major))

/** Where it listens tells who can connect. */
const runningView = (runs: ServerSpec, usesJava: boolean) => ({
  memoryMb: runs.memoryMb,
  port: runs.port,
  openTo: openToOf(null, runs.host),
  ...(usesJava && { java: javaView(runs.java?.major ?? null) }),
})

/** What a change of the configuration does to its row. */
export const configChange = ({
  java,
  properties: _inItsFile,
  ...change
}: z.output<typeof ChangeConfig>): ServerChange => ({
  ...change,
  ...(java !== undefined && { javaMajor: java === 'auto' ? null : Number(java) }),
})

/** The entity tag of a configuration: new with each change, here and in the software's own settings file. */
export const configTag = (row: ServerRow, { mark }: Pick<SettingsNow, 'mark'>): string =>
  `"${row.id}.${row.revision}.${mark}"`

/**
 * Whether a change may go on. Without `If-Match` it may: the change names single fields, and who does not say what it
 * read means "whatever it is now".
 */
export function matches(ifMatch: string | undefined, tag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((one) => one.trim() === tag)
}

/** Where a server listens: where it was started to, while it runs. `host`: where the service does. */
export const listensAt = (
  row: Pick<ServerRow, 'port' | 'openTo'>,
  runs: Pick<ServerSpec, 'host' | 'port'> | null,
  host: string,
): { host: string; port: number } => ({
  host: runs?.host ?? gameHost(row.openTo, host),
  port: runs?.port ?? row.port,
})

/** The host that players are told. `callerHost`: by which the caller came, which leads to the same computer. */
function hostToJoin(listening: string, callerHost: string): string {
  if (!isWildcard(listening)) return listening
  if (!isLoopback(bareHost(callerHost))) return callerHost
  return networkAddresses()[0] ?? callerHost
}

/** A host of an address without the brackets that IPv6 has there. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** Shows servers of a service that listens on this address. */
export const serverViews =
  (
    host: string,
    runtime: Pick<Runtime, 'status' | 'catalogue' | 'runs'>,
    records: Pick<InstalledRecords, 'kindOfJar'>,
  ) =>
  (row: ServerRow, held: Found['held'], c: RequestContext): z.input<typeof Server> => {
    const at = listensAt(row, runtime.runs(row.id), host)
    const address = { ...at, host: hostToJoin(at.host, new URL(c.req.url).hostname) }
    const loadsAs = records.kindOfJar(row)
    return serverView(row, held, address, runtime.status(row.id), runtime.catalogue(), loadsAs)
  }
