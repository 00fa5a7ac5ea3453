import type { z } from 'zod'
import type { ChangeConfig, Server, ServerConfig } from '../../../contract/areas/servers.ts'
import type { Found } from '../../access.ts'
import { isoTime } from '../../clock.ts'
import { computerMb } from '../../computer-memory.ts'
import { isWildcard } from '../../host.ts'
import type { CatalogueEntry, Runtime, RuntimeStatusIn } from '../../runtime/types.ts'
import type { RequestContext } from '../../serve.ts'
import type { ServerChange, ServerRow } from '../../store/servers.ts'
import type { SettingsNow } from './server-settings.ts'

/** A server as the API shows it to who holds this at it. */
export function serverView(
  row: ServerRow,
  held: Found['held'],
  host: string,
  status: RuntimeStatusIn | null,
  catalogue: CatalogueEntry[],
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
    },
    address: { host, port: row.port },
    players: status?.players ?? null,
    memoryMb: row.memoryMb,
    role: held === 'owner' ? held : [...held],
    createdAt: isoTime(row.createdAt),
  }
}

/** `usesJava`: its software does; of others nobody can choose how they are run. */
export const configView = (
  row: ServerRow,
  { properties }: Pick<SettingsNow, 'properties'>,
  usesJava: boolean,
): z.input<typeof ServerConfig> => ({
  name: row.name,
  memoryMb: row.memoryMb,
  port: row.port,
  ...(usesJava && {
    java: row.javaMajor === null ? 'auto' : String(row.javaMajor),
    jvmSet: row.jvmSet,
    javaArgs: [...row.javaArgs],
  }),
  autoStart: row.autoStart,
  autoRestart: row.autoRestart,
  memoryMostMb: computerMb(),
  properties,
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

/** Shows servers of a service that listens on this address. */
export const serverViews =
  (host: string, runtime: Pick<Runtime, 'status' | 'catalogue'>) =>
  (row: ServerRow, held: Found['held'], c: RequestContext): z.input<typeof Server> => {
    // Game servers listen beside the service: where that is everywhere, the host the caller came by leads there.
    const shown = isWildcard(host) ? new URL(c.req.url).hostname : host
    return serverView(row, held, shown, runtime.status(row.id), runtime.catalogue())
  }
