import { api } from '../../contract/areas/index.ts'
import type { InputOf, Operation, OutputOf } from '../../contract/areas/operation.ts'
import type { FileJob, ServerRef } from '../../contract/bridge/values.ts'
import { say } from '../../contract/messages/say.ts'
import type { SendOptions } from '../api/client.ts'
import { Gathered } from '../api/gathered.ts'
import { problem } from '../api/problem.ts'
import { bringBack } from '../files/bring-back.ts'
import { readPage, readText } from '../files/contents.ts'
import { namedResults } from '../files/named-results.ts'
import { deletionOf, removeItems, TREE_MS } from '../files/remove.ts'
import { saveText } from '../files/save.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

/** Hits asked for in one search. */
const SEARCH_HITS = 500
/** A search through the texts of a world takes its time, in ms. */
const SEARCH_MS = 60_000

export function fileHandlers({ cache, connections, views, former, fileJobs }: Rooms): AreaHandlers<'files'> {
  const at = ({ connectionId, serverId }: ServerRef, path: string) => ({
    client: connections.client(connectionId),
    serverId,
    path,
  })
  const read = async <Op extends Operation>(
    { connectionId }: ServerRef,
    op: Op,
    input: InputOf<Op>,
    options?: SendOptions,
  ): Promise<OutputOf<Op>> => (await connections.client(connectionId).send(op, input, options)).value

  /** Whatever came of it, what was shown may be old now: also a refusal tells that something is not as it was. */
  const changing = async <T>(op: Operation, server: ServerRef, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      void views.markStale(op.stale, server.connectionId, server.serverId)
    }
  }
  const change = <Op extends Operation>(
    server: ServerRef,
    op: Op,
    input: InputOf<Op>,
    options?: SendOptions,
  ): Promise<OutputOf<Op>> => changing(op, server, () => read(server, op, input, options))
  const of = ({ serverId }: ServerRef) => ({ serverId })

  return {
    'files.read-text': ({ path, ...server }) => readText(at(server, path)),
    'files.read-page': ({ path, offset, length, ...server }) => readPage(at(server, path), offset, length),
    'files.write-text': ({ path, text, base, ...server }) =>
      changing(api.files.write, server, () => saveText(at(server, path), server, text, base, former)),
    'files.former': ({ path, ...server }) => former.list(server, path),
    'files.former-text': async ({ id, ...server }) => ({ text: await former.text(server, id) }),

    'files.draft': ({ path, connectionId, serverId }) => cache.draft(connectionId, serverId, path),
    'files.keep-draft'({ path, connectionId, serverId, ...draft }) {
      // An editor that is closed by signing out keeps its text once more; nothing of that may stay here.
      connections.get(connectionId)
      return cache.keepDraft(connectionId, serverId, path, draft)
    },
    'files.drop-draft': ({ path, connectionId, serverId }) => cache.dropDraft(connectionId, serverId, path),

    'files.ask-again'({ connectionId }) {
      const { offered } = connections.client(connectionId)
      for (const { id } of Object.values(api.files)) offered.askAgain(id)
    },

    async 'files.folder'({ path, ...server }) {
      await change(server, api.files.folder, { params: of(server), body: { path } })
    },
    async 'files.move'({ items, conflict, ...server }) {
      const input = { params: of(server), body: { items, conflict } }
      const answer = await change(server, api.files.move, input, { headMs: TREE_MS })
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
      const input = { params: of(server), body: { items, conflict } }
      const answer = await change(server, api.files.copy, input, { headMs: TREE_MS })
      const asked = items.map(({ from }) => from)
      return { results: namedResults(asked, answer) }
    },
    'files.deletion': ({ paths, ...server }) =>
      deletionOf(connections.client(server.connectionId), server, paths, former),
    'files.remove': ({ paths, keep, ...server }) =>
      changing(api.files.remove, server, () =>
        removeItems(connections.client(server.connectionId), server, { paths, keep }, former),
      ),
    'files.bring-back': ({ ids, folders, ...server }) =>
      changing(api.files.write, server, async () => ({
        results: await bringBack(connections.client(server.connectionId), server, { ids, folders }, former),
      })),
    async 'files.restore'({ ids, conflict, ...server }) {
      const input = { params: of(server), body: { ids, conflict } }
      return {
        results: namedResults(ids, await change(server, api.files.restore, input, { headMs: TREE_MS })),
      }
    },
    async 'files.purge'({ ids, ...server }) {
      const body = ids === undefined ? {} : { ids }
      await change(server, api.files.purge, { params: of(server), body }, { headMs: TREE_MS })
    },

    async 'files.archive'({ paths, to, format, conflict, ...server }) {
      const input = { params: of(server), body: { paths, to, format, conflict } }
      const job = await change(server, api.files.archive, input)
      return job && fileJobs.follow(server, job)
    },
    async 'files.extract'({ path, to, conflict, ...server }) {
      const input = { params: of(server), body: { path, to, conflict } }
      const job = await change(server, api.files.extract, input)
      return job && fileJobs.follow(server, job)
    },
    async 'files.jobs'(server) {
      const page = await read(server, api.files.jobs, { params: of(server) })
      const { items } = new Gathered<FileJob>('id', ({ id }) => id).add(page)
      for (const job of items) fileJobs.follow(server, job)
      return items
    },
    async 'files.cancel-job'({ id, ...server }) {
      await change(server, api.files.cancel, { params: of(server), body: { id } })
    },

    async 'files.search'({ path, name, text, ...server }) {
      if (!name && !text) throw problem('invalid', say('file.search-empty'))
      const query = { path, name: name || undefined, text: text || undefined, limit: SEARCH_HITS }
      const { items, nextCursor } = await read(
        server,
        api.files.search,
        { params: of(server), query },
        { headMs: SEARCH_MS },
      )
      return { items, more: nextCursor !== null || items.length >= SEARCH_HITS }
    },

    'files.favourites': (server) => cache.favourites(server.connectionId, server.serverId),
    async 'files.set-favourites'({ paths, ...server }) {
      const places = [...new Set(paths)]
      await cache.setFavourites(server.connectionId, server.serverId, places)
      return places
    },
  }
}
