import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import { inTurn, readForm } from '../base/form.ts'
import type { PanelFiles } from './files.ts'
import type { PanelServers } from './servers.ts'

export const filesOf = (files: PanelFiles, servers: PanelServers): HostOperations => ({
  'files.list': async (caller) => {
    const items = await files.list(caller.params.serverId, caller.query.path ?? '', caller)
    return { items, nextCursor: null }
  },
  'files.read': (caller) =>
    files.read(caller.params.serverId, caller.query.path, caller.header('range'), caller),
  'files.write': async (caller) => {
    const isNew = caller.header('if-none-match') === '*'
    const { path } = caller.query
    return { entry: await files.write(caller.params.serverId, path, caller.bytes, isNew, caller) }
  },
  'files.folder': async (caller) => {
    const { path, conflict } = caller.body
    return { entry: await files.makeFolder(caller.params.serverId, path, conflict !== 'skip', caller) }
  },
  'files.move': async ({ params, body, ...caller }) => {
    const move = (item: Move) => files.move(params.serverId, item, body.conflict, caller)
    return { results: await inTurn(body.items, move) }
  },
  'files.remove': async ({ params, body, ...caller }) => {
    return { results: await inTurn(body.paths, (path) => files.remove(params.serverId, path, caller)) }
  },
  'files.limits': async (caller) => {
    const id = caller.params.serverId
    const [{ limits }, used] = await Promise.all([servers.details(id, caller), servers.diskUse(id, caller)])
    return files.limits(id, { disk: limits?.disk, used })
  },
  'files.batch': async (caller) => {
    const replaces = caller.query?.conflict === 'replace'
    return { results: await files.batch(caller.params.serverId, caller.bytes, replaces, caller) }
  },
  'files.search': async (caller) => {
    const items = await files.search(caller.params.serverId, caller.query, caller)
    return { items, nextCursor: null }
  },
  'files.upload': async (caller) => {
    const form = await readForm(caller.header('content-type'), caller.bytes)
    const { path, conflict = 'refuse', modifiedAt } = form.fields
    if (!path) throw hostRefusal(422, 'request.invalid.path')
    const formBytes = Number(caller.header('content-length') ?? 0)
    const upload = { path, conflict, file: form.file, formBytes, modifiedAt, sha256: form.sha256 }
    return { entry: await files.upload(caller.params.serverId, upload, caller) }
  },
})

interface Move {
  from: string
  to: string
}
