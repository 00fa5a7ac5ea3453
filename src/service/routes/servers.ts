import { randomUUID } from 'node:crypto'
import { servers } from '../../contract/api/servers.ts'
import type { Clock } from '../clock.ts'
import { findFreePort } from '../free-port.ts'
import { isWildcard } from '../host.ts'
import { Refusal } from '../refusal.ts'
import type { Runtime, ServerSpec } from '../runtime/types.ts'
import { serve, type RequestContext, type ServiceApp } from '../serve.ts'
import type { ServerFolders } from '../server-folders.ts'
import type { ServerRow } from '../store/servers.ts'
import type { Store } from '../store/store.ts'
import { configTag, configView, matches, serverView } from './server-view.ts'

/** Servers on a page where the caller does not say. */
const PAGE = 50

export interface ServerRoutes {
  store: Pick<Store, 'servers'>
  runtime: Runtime
  folders: ServerFolders
  clock: Clock
  /** Address the service and its game servers listen on. */
  host: string
  /** Servers are given this port or the next free ones. */
  firstGamePort: number
  /** Ends what still writes to the folder of a server that is about to go. */
  letGo: (serverId: string) => Promise<void>
}

/** What the runtime is told of a row. */
export const specOf = (row: ServerRow, folders: ServerFolders, host: string): ServerSpec => ({
  id: row.id,
  name: row.name,
  folder: folders.of(row.id),
  software: { id: row.softwareId, version: row.softwareVersion },
  memoryMb: row.memoryMb,
  port: row.port,
  host,
})

/** Mounts list, create, read, remove and the configuration. Who does not own a server reads 404, as if it were none. */
export function mountServers(
  app: ServiceApp,
  { store, runtime, folders, clock, host, firstGamePort, letGo }: ServerRoutes,
): void {
  /** Game servers listen beside the service: where that is everywhere, the host the caller came by leads there. */
  const shownHost = (c: RequestContext) => (isWildcard(host) ? new URL(c.req.url).hostname : host)
  const view = (row: ServerRow, c: RequestContext) =>
    serverView(row, shownHost(c), runtime.status(row.id), runtime.catalogue())
  // Two servers created at once must not be given the same port.
  let creating: Promise<unknown> = Promise.resolve()
  const removing = new Set<string>()

  serve(app, servers.list, ({ caller, query, c }) => {
    const limit = query.limit ?? PAGE
    const rows = store.servers.page(caller.accountId, fromCursor(query.cursor), limit + 1)
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    return {
      items: items.map((row) => view(row, c)),
      nextCursor: rows.length > limit && last ? toCursor(last.seq) : null,
    }
  })

  serve(app, servers.create, async ({ caller, body, c }) => {
    checkSoftware(runtime, body.software)
    const { bounds } = app.gates
    const turn = creating.then(async () => {
      // In its turn: of many that are asked for at once each one counts those before it.
      if (store.servers.countOf(caller.accountId) >= bounds.servers) throw tooManyServers(bounds.servers)
      const port = await findFreePort(host, store.servers.ports(), firstGamePort)
      if (port === null) throw new Refusal(409, 'server.no-port', 'No port is free for another server.')
      return store.servers.insert({
        id: randomUUID(),
        ownerId: caller.accountId,
        name: body.name,
        softwareId: body.software.id,
        softwareVersion: body.software.version,
        memoryMb: body.memoryMb,
        port,
        createdAt: clock.now(),
      })
    })
    creating = turn.catch(() => {})
    const row = await turn
    try {
      await folders.make(row.id)
      runtime.add(specOf(row, folders, host))
    } catch (error) {
      store.servers.remove(row.id)
      throw error
    }
    c.header('Location', `${new URL(c.req.url).pathname}/${row.id}`)
    return view(row, c)
  })

  serve(app, servers.read, ({ caller, params, c }) => view(app.requireServer(caller, params.serverId), c))

  serve(app, servers.remove, async ({ caller, params, query }) => {
    const row = app.requireServer(caller, params.serverId)
    if (query.confirm.trim() !== row.name) {
      const message = 'Type the name of the server exactly as it is to delete it.'
      throw new Refusal(422, 'server.confirm-mismatch', message, { fields: { confirm: [message] } })
    }
    if (removing.has(row.id))
      throw new Refusal(409, 'server.removing', 'This server is being deleted already.')
    removing.add(row.id)
    try {
      await removeServer(row)
    } finally {
      removing.delete(row.id)
    }
  })

  async function removeServer(row: ServerRow): Promise<void> {
    await runtime.remove(row.id)
    try {
      await letGo(row.id)
      await folders.setAside(row.id)
    } catch (error) {
      runtime.add(specOf(row, folders, host))
      throw error
    }
    store.servers.remove(row.id)
    await folders.clear(row.id)
  }

  serve(app, servers.readConfig, ({ caller, params, c }) => {
    const row = app.requireServer(caller, params.serverId)
    c.header('ETag', configTag(row))
    return configView(row)
  })

  serve(app, servers.changeConfig, ({ caller, params, body, c }) => {
    const row = app.requireServer(caller, params.serverId)
    const changed =
      matches(c.req.header('if-match'), configTag(row)) &&
      store.servers.change(row.id, row.revision, {
        name: body.name ?? row.name,
        memoryMb: body.memoryMb ?? row.memoryMb,
      })
    if (!changed) {
      const message = 'The configuration was changed meanwhile. Read it again, then make your change.'
      throw new Refusal(412, 'config.changed', message, { headers: { ETag: configTag(row) } })
    }
    runtime.update(specOf(changed, folders, host))
    c.header('ETag', configTag(changed))
    return configView(changed)
  })
}

const tooManyServers = (most: number) =>
  new Refusal(
    409,
    'server.too-many',
    `This account has ${most} servers, which is the most that are kept for one. Delete one first.`,
  )

function checkSoftware(runtime: Runtime, software: { id: string; version: string }): void {
  const entry = runtime.catalogue().find(({ id }) => id === software.id)
  if (!entry) {
    const message = 'This service does not have this software. Choose one of its catalogue.'
    throw new Refusal(422, 'software.not-known', message, { fields: { 'software.id': [message] } })
  }
  if (!entry.versions.some(({ id }) => id === software.version)) {
    const message = `${entry.name} is not offered in this version. Choose one of the list.`
    throw new Refusal(422, 'software.version-not-known', message, {
      fields: { 'software.version': [message] },
    })
  }
}

const toCursor = (seq: number): string => Buffer.from(`s${seq}`).toString('base64url')

function fromCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const seq = /^s(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (seq !== undefined) return Number(seq)
  const message = 'This cursor is not one of this list. Begin again without it.'
  throw new Refusal(422, 'request.invalid', message, { fields: { cursor: [message] } })
}
