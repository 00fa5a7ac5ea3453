import { api } from '../../contract/areas/index.ts'
import type { FileEntry, TrashEntry } from '../../contract/areas/file-values.ts'
import { LIST_MOST } from '../../contract/areas/files.ts'
import type { Server } from '../../contract/areas/servers.ts'
import type { Software, SoftwareVersion } from '../../contract/areas/software.ts'
import type { Views } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { Gathered } from '../api/gathered.ts'
import { inRuns } from '../files/in-runs.ts'
import { readServer, readStatus } from './next-best.ts'
import type { ViewSources } from './view-store.ts'

/** Servers read of one connection at most: beyond that a list is no way to find one. */
const MOST_SERVERS = 2000
const PAGE = 200
/** Answers read of one list of servers at most, from a service that gives fewer at once. */
const SERVER_PAGES = 100
/** Answers read of one folder at most, from a service that gives fewer entries at once than it is asked for. */
const FOLDER_PAGES = 250

/** How each view is read from its service. */
export function viewSources(client: (connectionId: string) => ApiClient): ViewSources {
  return {
    async servers({ connectionId }) {
      const list = new Gathered<Server>('id', ({ id }) => id)
      let cursor: string | undefined
      for (let pages = 0; pages < SERVER_PAGES; pages++) {
        const query = { limit: PAGE, cursor }
        const { value } = await client(connectionId).send(api.servers.list, { query })
        list.add(value)
        // A service that names the same page again would have us go round for ever.
        if (value.nextCursor === null || value.nextCursor === cursor || list.items.length >= MOST_SERVERS)
          break
        cursor = value.nextCursor
      }
      return { items: list.items, leftOut: list.leftOut }
    },
    server({ connectionId, serverId }) {
      return readServer(client(connectionId), serverId)
    },
    status({ connectionId, serverId }) {
      return readStatus(client(connectionId), serverId)
    },
    async config({ connectionId, serverId }) {
      const { value, etag } = await client(connectionId).send(api.servers.readConfig, {
        params: { serverId },
      })
      return { config: value, etag }
    },
    async software({ connectionId }) {
      const { value } = await client(connectionId).send(api.software.list, {})
      const catalogue = new Gathered<Software>('id', ({ id }) => id).add(value)
      const { leftOut } = catalogue
      const items: Views['software']['value']['items'] = []
      let failed: Error | undefined
      const reading = catalogue.items.map((software) => {
        const params = { softwareId: software.id }
        return client(connectionId).send(api.software.versions, { params })
      })
      for (const [index, read] of (await Promise.allSettled(reading)).entries()) {
        const software = catalogue.items[index]
        if (read.status === 'fulfilled' && software) {
          const versions = new Gathered<SoftwareVersion>('id', ({ id }) => id).add(read.value.value)
          items.push({ ...software, versions: versions.items })
        } else if (read.status === 'rejected') {
          failed = read.reason as Error
          leftOut.push({ index, path: `items.${index}.versions` })
        }
      }
      // What cannot be had of one does not cost the others; where none can be had, that is the answer.
      if (items.length === 0 && failed) throw failed
      return { items, leftOut }
    },
    async folder({ connectionId, serverId, path }) {
      const list = new Gathered<FileEntry>('name', ({ name }) => name)
      let cursor: string | undefined
      for (let pages = 0; pages < FOLDER_PAGES; pages++) {
        const query = { path, limit: LIST_MOST - list.count, cursor }
        const { value } = await client(connectionId).send(api.files.list, { params: { serverId }, query })
        list.add(value)
        cursor = value.nextCursor ?? undefined
        if (cursor === undefined || cursor === query.cursor || list.count >= LIST_MOST) break
      }
      return { path, entries: inRuns(list.items), leftOut: list.leftOut, more: cursor !== undefined }
    },
    async trash({ connectionId, serverId }) {
      const { value } = await client(connectionId).send(api.files.trash, { params: { serverId } })
      const { items, leftOut } = new Gathered<TrashEntry>('id', ({ id }) => id).add(value)
      return { items, leftOut }
    },
    async limits({ connectionId, serverId }) {
      return (await client(connectionId).send(api.files.limits, { params: { serverId } })).value
    },
    async account({ connectionId }) {
      return (await client(connectionId).send(api.account.me, {})).value
    },
  }
}
