import { api } from '../../../contract/areas/index.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import { readPage, readText } from './contents.ts'
import { removeItems, namedResults } from './remove.ts'
import { ICON_FILE, saveIcon } from './save-icon.ts'
import { saveText } from './save.ts'
import type { AreaHandlers } from '../../bridge/handlers.ts'
import type { Connections } from '../../accounts/connections.ts'
import type { Cache } from '../../views/cache/cache.ts'
import type { WriteSender } from '../../views/writes.ts'
import type { FollowedJobs } from './followed-jobs.ts'
import type { PreviousVersions } from './previous-versions.ts'
import type { ExternalFiles } from './external-editor/external-files.ts'

export interface FileDependencies {
  cache: Cache
  connections: Connections
  writes: WriteSender
  former: PreviousVersions
  followedJobs: FollowedJobs
}

export function fileCalls(rooms: FileDependencies): AreaHandlers<'files'> {
  const { cache, connections, writes, former, followedJobs } = rooms
  const at = ({ connectionId, serverId }: ServerRef, path: string) => ({
    client: connections.client(connectionId),
    serverId,
    path,
  })
  return {
    'files.read-text': ({ path, ...server }) => readText(at(server, path)),
    'files.read-page': ({ path, backup, offset, length, ...server }) =>
      readPage({ ...at(server, path), backup }, offset, length),
    'files.write-text': ({ path, text, base, ...server }) =>
      writes.during(api.files.write, server, () => saveText(at(server, path), server, text, base, former)),
    'files.write-icon': ({ png, ...server }) =>
      writes.during(api.files.write, server, () => saveIcon(at(server, ICON_FILE), png)),
    'files.former': ({ path, ...server }) => former.list(server, path),
    'files.former-text': async ({ id, ...server }) => ({ text: await former.text(server, id) }),

    'files.draft': ({ path, connectionId, serverId }) => cache.draft(connectionId, serverId, path),
    'files.keep-draft'({ path, connectionId, serverId, ...draft }) {
      // An editor closed by signing out saves its text once more; throws so that nothing is stored after that.
      connections.get(connectionId)
      return cache.keepDraft(connectionId, serverId, path, draft)
    },
    'files.discard-draft': ({ path, connectionId, serverId }) =>
      cache.discardDraft(connectionId, serverId, path),

    async 'files.move'({ items, conflict, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { items, conflict } }
      const answer = await writes.send(api.files.move, server, input)
      const asked = items.map(({ from }) => from)
      const results = namedResults(asked, answer)
      for (const { path, outcome, finalPath } of results) {
        const to = finalPath ?? items.find(({ from }) => from === path)?.to
        if (outcome !== 'done' || to === undefined) continue
        await former.moved(server, path, to)
        await cache.moveDrafts(server.connectionId, server.serverId, path, to)
      }
      return { results }
    },
    async 'files.copy'({ items, conflict, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { items, conflict } }
      const answer = await writes.send(api.files.copy, server, input)
      const asked = items.map(({ from }) => from)
      return { results: namedResults(asked, answer) }
    },
    'files.remove': ({ paths, permanent, ...server }) => {
      const client = connections.client(server.connectionId)
      const work = () => removeItems(client, server, { paths, permanent }, former)
      return writes.during(api.files.remove, server, work)
    },
    async 'files.restore'({ ids, conflict, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { ids, conflict } }
      return { results: namedResults(ids, await writes.send(api.files.restore, server, input)) }
    },
    async 'files.archive'({ paths, to, format, conflict, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { paths, to, format, conflict } }
      const job = await writes.send(api.files.archive, server, input)
      return job && followedJobs.follow(server, job)
    },
    async 'files.extract'({ path, to, conflict, names, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { path, to, conflict, names } }
      const job = await writes.send(api.files.extract, server, input)
      return job && followedJobs.follow(server, job)
    },
    'files.favorites': (server) => cache.favorites(server.connectionId, server.serverId),
    async 'files.set-favorites'({ paths, ...server }) {
      const places = [...new Set(paths)]
      await cache.setFavorites(server.connectionId, server.serverId, places)
      return places
    },
  }
}

export interface ExternalEditorDependencies {
  externalFiles: ExternalFiles
}

export function externalEditorHandlers({
  externalFiles,
}: ExternalEditorDependencies): AreaHandlers<'external-editor'> {
  return {
    'external-editor.list': () => externalFiles.list(),
    'external-editor.open': ({ connectionId, serverId, path, readOnly }) =>
      externalFiles.open({ connectionId, serverId }, path, readOnly),
    'external-editor.send': ({ id, overwrite }) => externalFiles.send(id, overwrite),
    'external-editor.text': async ({ id }) => ({ text: await externalFiles.text(id) }),
    'external-editor.stop': async ({ id, keep }) => ({ keptAt: await externalFiles.stop(id, keep) }),
    'external-editor.reveal': ({ id }) => externalFiles.reveal(id),
  }
}
