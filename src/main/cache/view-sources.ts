import { api } from '../../contract/api/index.ts'
import type { FileEntry } from '../../contract/api/file-values.ts'
import { LIST_MOST } from '../../contract/api/files.ts'
import type { Server } from '../../contract/api/servers.ts'
import type { LeftOut } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { inRuns } from '../files/in-runs.ts'
import type { ViewSources } from './view-store.ts'

/** Servers read of one connection at most: beyond that a list is no way to find one. */
const MOST_SERVERS = 2000
const PAGE = 200
/** Answers read of one folder at most, from a service that gives fewer entries at once than it is asked for. */
const FOLDER_PAGES = 250

/** How each view is read from its service. */
export function viewSources(client: (connectionId: string) => ApiClient): ViewSources {
  return {
    async servers({ connectionId }) {
      const items: Server[] = []
      const leftOut: LeftOut[] = []
      let cursor: string | undefined
      do {
        const query = { limit: PAGE, cursor }
        const { value } = await client(connectionId).send(api.servers.list, { query })
        items.push(...value.items)
        leftOut.push(...value.leftOut)
        cursor = value.nextCursor ?? undefined
      } while (cursor && items.length < MOST_SERVERS)
      return { items, leftOut }
    },
    async server({ connectionId, serverId }) {
      return (await client(connectionId).send(api.servers.read, { params: { serverId } })).value
    },
    async status({ connectionId, serverId }) {
      return (await client(connectionId).send(api.servers.status, { params: { serverId } })).value
    },
    async config({ connectionId, serverId }) {
      const { value, etag } = await client(connectionId).send(api.servers.readConfig, {
        params: { serverId },
      })
      return { config: value, etag }
    },
    async software({ connectionId }) {
      const catalogue = await client(connectionId).send(api.software.list, {})
      const items = catalogue.value.items.map(async (software) => {
        const params = { softwareId: software.id }
        const versions = await client(connectionId).send(api.software.versions, { params })
        return { ...software, versions: versions.value.items }
      })
      return { items: await Promise.all(items) }
    },
    async folder({ connectionId, serverId, path }) {
      const entries: FileEntry[] = []
      const leftOut: LeftOut[] = []
      let cursor: string | undefined
      for (let pages = 0; pages < FOLDER_PAGES; pages++) {
        const query = { path, limit: LIST_MOST - entries.length - leftOut.length, cursor }
        const { value } = await client(connectionId).send(api.files.list, { params: { serverId }, query })
        const before = entries.length + leftOut.length
        for (const entry of value.items) entries.push(entry)
        for (const left of value.leftOut) leftOut.push({ ...left, index: before + left.index })
        cursor = value.nextCursor ?? undefined
        if (cursor === undefined || entries.length + leftOut.length >= LIST_MOST) break
      }
      return { path, entries: inRuns(entries), leftOut, more: cursor !== undefined }
    },
    async trash({ connectionId, serverId }) {
      const { value } = await client(connectionId).send(api.files.trash, { params: { serverId } })
      return { items: value.items, leftOut: value.leftOut }
    },
    async limits({ connectionId, serverId }) {
      return (await client(connectionId).send(api.files.limits, { params: { serverId } })).value
    },
    async account({ connectionId }) {
      return (await client(connectionId).send(api.account.me, {})).value
    },
  }
}
