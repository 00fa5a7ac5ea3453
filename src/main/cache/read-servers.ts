import { api } from '../../contract/areas/index.ts'
import type { Server } from '../../contract/areas/servers.ts'
import type { ServerList } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { Gathered } from '../api/gathered.ts'
import { PanelProblem } from '../api/problem.ts'
import type { Cache } from './cache.ts'

/** Servers read of one connection at most: beyond that a list is no way to find one. */
const MOST_SERVERS = 2000
const PAGE = 200
/** Answers read of one list of servers at most, from a service that gives fewer at once. */
const SERVER_PAGES = 100
/** Servers that were added by their ids are read so many at once. */
const AT_ONCE = 4

/** What is kept of the servers that were added by their ids. */
export type Added = Pick<Cache, 'addedServers' | 'renameAdded'>

/** The servers of a connection: as the service lists them; where it gives no list, those that were added by their ids. */
export async function readServers(
  client: ApiClient,
  connectionId: string,
  added: Added,
): Promise<ServerList> {
  try {
    return await listed(client)
  } catch (error) {
    const code = error instanceof PanelProblem ? error.problem.code : null
    if (code !== 'unavailable' && code !== 'forbidden') throw error
    const items = await byId(client, connectionId, added)
    // Without any the reason itself is the answer.
    if (items.length === 0) throw error
    return { items, leftOut: [], listing: code === 'unavailable' ? 'absent' : 'forbidden' }
  }
}

async function listed(client: ApiClient): Promise<ServerList> {
  const list = new Gathered<Server>('id', ({ id }) => id)
  let cursor: string | undefined
  let complete = false
  for (let pages = 0; pages < SERVER_PAGES; pages++) {
    const { value } = await client.send(api.servers.list, { query: { limit: PAGE, cursor } })
    list.add(value)
    complete = value.complete
    // A service that names the same page again would have us go round for ever.
    if (value.nextCursor === null || value.nextCursor === cursor || list.items.length >= MOST_SERVERS) break
    cursor = value.nextCursor
  }
  return { items: list.items, leftOut: list.leftOut, listing: complete ? 'complete' : 'incomplete' }
}

async function byId(client: ApiClient, connectionId: string, added: Added): Promise<Server[]> {
  const kept = await added.addedServers(connectionId)
  const servers = kept.map(({ id, name }): Server => ({ id, name: name ?? id }))
  const left = [...servers.entries()]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, { id, name }] = next
      const read = await client
        .send(api.servers.read, { params: { serverId: id } })
        .catch((error: unknown) => {
          // Its id alone is enough for what a service offers of it.
          if (error instanceof PanelProblem) return null
          throw error
        })
      if (!read) continue
      servers[at] = { ...read.value, id }
      if (read.value.name !== name) await added.renameAdded(connectionId, id, read.value.name)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return servers
}
