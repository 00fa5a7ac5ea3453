import { joined, nameOf, parentOf } from '../../contract/rules/paths.ts'
import { numbered } from '../../contract/rules/names.ts'
import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { fileExists, outcomeAt, resultOf } from '../base/file-results.ts'
import { inTurn } from '../base/form.ts'
import { type Copy, CopyRoom } from '../sftp/copying.ts'
import type { ConflictRule, PanelFiles } from './files.ts'
import type { PanelApi } from './panel-api.ts'
import { pathOf } from './servers.ts'

/** Each takes several requests, and a panel allows few a minute. */
const COPIED_MOST = 30
const NUMBERS_MOST = 100

/** A panel copies a file beside itself, under a name of its own; from there it is moved. */
export function copyingOf(api: PanelApi, files: PanelFiles): HostOperations {
  const copy = async (
    id: string,
    { from, to }: Copy,
    conflict: ConflictRule,
    room: CopyRoom,
    caller: Caller,
  ) => {
    const source = await files.entry(id, from, caller)
    if (!source) throw hostRefusal(404, 'host.not-found')
    if (source.kind === 'folder') return files.copyFolder(id, { from, to }, conflict, room, caller)
    if (source.kind !== 'file') throw hostRefusal(409, 'sftp.copy-file', { path: nameOf(from) })
    const taken = new Set((await files.list(id, parentOf(to), caller)).map(({ name }) => name))
    const isTaken = taken.has(nameOf(to))
    if (isTaken && conflict === 'skip') return null
    const target = isTaken && conflict === 'keep-both' ? freeName(to, taken) : to
    if (isTaken && target === to) throw fileExists(to)
    const folder = parentOf(from)
    const namesThen = new Set((await files.list(id, folder, caller)).map(({ name }) => name))
    await api.send(`${pathOf(id)}/files/copy`, caller, { method: 'POST', json: { location: `/${from}` } })
    const made = (await files.list(id, folder, caller)).filter(
      ({ name, size }) => !namesThen.has(name) && size === source.size,
    )
    const [one] = made
    if (!one || made.length > 1) throw hostRefusal(409, 'host.copy-unsure')
    const { outcome } = await files.move(id, { from: joined(folder, one.name), to: target }, 'refuse', caller)
    if (outcome !== 'done') throw hostRefusal(409, 'host.copy-name', { path: joined(folder, one.name) })
    return target
  }
  return {
    'files.copy': async ({ params, body: { items, conflict }, ...caller }) => {
      if (items.length > COPIED_MOST) throw hostRefusal(422, 'host.copy-many', { most: COPIED_MOST })
      const room = new CopyRoom()
      const results = await inTurn(items, (item) =>
        resultOf(item.from, async () =>
          outcomeAt(await copy(params.serverId, item, conflict, room, caller), item.to),
        ),
      )
      return { results }
    },
  }
}

function freeName(to: string, taken: ReadonlySet<string>): string {
  for (let number = 2; number < NUMBERS_MOST; number++) {
    const name = numbered(nameOf(to), number)
    if (!taken.has(name)) return joined(parentOf(to), name)
  }
  return to
}
