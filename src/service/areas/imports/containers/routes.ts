import type { z } from 'zod'
import { containers as operations } from '../../../../contract/areas/containers.ts'
import { asOneLine } from '../../../../contract/messages/one-line.ts'
import { type Server, servers } from '../../../../contract/areas/servers.ts'
import { refusal, Refusal } from '../../../../host/refusal.ts'
import type { ServerFolders } from '../../../files/server-folders.ts'
import { type RequestContext, serve, type ServiceApp } from '../../../http/serve.ts'
import type { ForeignContainer } from '../../../runtime/containers/foreign-container.ts'
import type { Runtime } from '../../../runtime/types.ts'
import { UNKNOWN_VERSION } from '../../../software/custom-jar.ts'
import { CUSTOM } from '../../../software/installed.ts'
import type { NewServer, ServerRow } from '../../../store/servers.ts'
import type { Store } from '../../../store/store.ts'
import { adoptableFolder, requireUntaken, shownPath } from './adoptable-folder.ts'
import { AdoptedFacts, type AdoptedPorts } from './adopted.ts'
import { softwareOf } from './container-facts.ts'

export interface ContainerRoutes extends AdoptedPorts {
  dataDir: string
  store: Pick<Store, 'servers' | 'accounts'>
  folders: Pick<ServerFolders, 'of'>
  runtime: AdoptedPorts['runtime'] & Pick<Runtime, 'software'>
  register: AdoptedPorts['register'] & {
    link(folder: string, wish: Omit<NewServer, 'id' | 'createdAt'>): ServerRow
  }
  view: (row: ServerRow, c: RequestContext) => z.input<typeof Server>
}

export function mountContainers(app: ServiceApp, ports: ContainerRoutes): void {
  const { dataDir, store, folders, runtime, register, view } = ports
  const facts = new AdoptedFacts(ports)

  const requireUnshared = (folder: string) =>
    requireUntaken(
      folder,
      store.servers.all().map(({ id, name }) => ({ name, folder: folders.of(id) })),
    )
  const requireAdoptable = async (container: ForeignContainer): Promise<string> => {
    const folder = await adoptableFolder(container, dataDir)
    requireUnshared(folder)
    if (container.port === null) throw refusal(409, 'adopted.no-port')
    if (!container.isLogged) throw refusal(409, 'adopted.no-log')
    return folder
  }
  const isAdopted = (container: ForeignContainer) =>
    store.servers.all().some((row) => row.container === container.name)

  /** Empty for others than the owner: they are not even asked about. */
  const foreign = async (accountId: string): Promise<ForeignContainer[]> => {
    const all = store.accounts.ownsService(accountId) ? ((await runtime.foreign?.list()) ?? []) : []
    return all.filter((one) => !isAdopted(one))
  }

  serve(app, operations.list, async ({ caller }) => {
    const all = await foreign(caller.accountId)
    const items = all.map(async (container) => {
      const { name, image, memoryMb, port, folder, isRunning: running } = container
      const { id, version } = softwareOf(container)
      const error = await requireAdoptable(container).then(() => null, toldOf)
      return {
        ...{ name, image: asOneLine(image), memoryMb, port, running, error },
        folder: folder && shownPath(folder),
        software: id === null ? null : { id, name: runtime.software(id)?.name ?? null, version },
      }
    })
    return { items: await Promise.all(items), nextCursor: null }
  })

  serve(app, operations.adopt, async ({ caller, body, address, c }) => {
    const { accountId } = caller
    if (!store.accounts.ownsService(accountId)) throw refusal(403, 'adopted.owner')
    const container = (await foreign(accountId)).find(({ name }) => name === body.name)
    if (!container) throw refusal(404, 'adopted.not-found', { container: body.name })
    const folder = await requireAdoptable(container)
    // No await from here on: another adoption may be under way.
    requireUnshared(folder)
    const { id, version } = softwareOf(container)
    const { id: serverId } = register.link(folder, {
      ...{ ownerId: accountId, name: container.name.slice(0, 60), container: container.name },
      ...{ softwareId: id ?? CUSTOM, softwareVersion: version ?? UNKNOWN_VERSION },
      ...{ memoryMb: container.memoryMb, port: container.port!, openTo: container.openTo },
    })
    facts.note(serverId, container)
    await facts.refresh(serverId)
    const row = store.servers.byId(serverId)
    if (!row) throw refusal(404, 'server.not-found.deleted')
    const write = { op: servers.create, serverId, by: caller, address, params: {}, query: undefined }
    const told = { body: { name: row.name }, answer: undefined, told: [], refused: null, below: false }
    app.wrote({ ...write, ...told })
    return view(row, c)
  })
}

function toldOf(error: unknown) {
  if (error instanceof Refusal) return error.asTold
  throw error
}
