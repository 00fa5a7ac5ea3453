import { api } from '../../contract/areas/index.ts'
import type { FileEntry, TrashEntry } from '../../contract/areas/file-values.ts'
import { LIST_MOST } from '../../contract/areas/files.ts'
import type { Software, SoftwareVersion } from '../../contract/areas/software.ts'
import type { Views } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { Gathered } from '../api/gathered.ts'
import { inRuns } from '../files/in-runs.ts'
import { readServer, readStatus } from './next-best.ts'
import { type Added, readServers } from './read-servers.ts'
import type { ViewSources } from './view-store.ts'

/** Answers read of one folder at most, from a service that gives fewer entries at once than it is asked for. */
const FOLDER_PAGES = 250

/** How each view is read from its service. */
export function viewSources(client: (connectionId: string) => ApiClient, added: Added): ViewSources {
  return {
    servers({ connectionId }) {
      return readServers(client(connectionId), connectionId, added)
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
      let complete = false
      for (let pages = 0; pages < FOLDER_PAGES; pages++) {
        const query = { path, limit: LIST_MOST - list.count, cursor }
        const { value } = await client(connectionId).send(api.files.list, { params: { serverId }, query })
        list.add(value)
        complete = value.complete
        cursor = value.nextCursor ?? undefined
        if (cursor === undefined || cursor === query.cursor || list.count >= LIST_MOST) break
      }
      return {
        path,
        entries: inRuns(list.items),
        leftOut: list.leftOut,
        more: cursor !== undefined || (!complete && 'perhaps'),
      }
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
