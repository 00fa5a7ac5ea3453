import { servers } from '../../../contract/areas/servers.ts'
import { requireMemory } from '../../base/computer-limits.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { NotificationSources } from '../../hosting/notifications/sources.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { chosenSoftware, licenseNeeded, requireBuild } from '../../software/chosen-software.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { mountConfig, type ConfigRoutes } from './config.ts'
import { mountDuplicate, type DuplicateRoutes } from './duplicate.ts'
import { iconIn } from './icon.ts'
import { mountNodes, type NodeRoutes } from './nodes.ts'
import { serverViews } from './view.ts'

const FIELDS = { id: 'software.id', version: 'software.version' }
const PAGE = 50

interface ServerRoutes extends ConfigRoutes, Pick<DuplicateRoutes, 'stateOf' | 'copiedPack'> {
  store: ConfigRoutes['store'] & NodeRoutes['store']
  allowance: ConfigRoutes['allowance'] & DuplicateRoutes['allowance']
  runtime: Runtime
  files: Pick<AllServerFiles, 'of'>
  records: Pick<InstalledRecords, 'want' | 'kindOfJar'>
  sources: Pick<NotificationSources, 'filesLeft'>
}

/** People without access get 404. Returns how to show a server to its owner. */
export function mountServers(
  app: ServiceApp,
  {
    store,
    runtime,
    register,
    allowance,
    files,
    records,
    settings,
    stateOf,
    copiedPack,
    host,
    sources,
  }: ServerRoutes,
): DuplicateRoutes['view'] {
  const view = serverViews(host, runtime, records)

  serve(app, servers.list, ({ caller, query, c }) => {
    const limit = query.limit ?? PAGE
    const rows = store.servers.page(caller.accountId, fromCursor(query.cursor), limit + 1)
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    return {
      items: items.flatMap((row) => {
        const held = app.access.held(caller.accountId, row)
        return held ? [view(row, held, c)] : []
      }),
      nextCursor: rows.length > limit && last ? toCursor(last.seq) : null,
    }
  })

  serve(app, servers.create, async ({ caller, body, address, signal, c }) => {
    requireMemory(body.memoryMb)
    const { license } = await chosenSoftware(runtime, body.software, FIELDS)
    const { id: software, version, build } = body.software
    await requireBuild(runtime, body.software, 'software.build', signal)
    if (license && !body.acceptLicense) throw licenseNeeded(license)
    const row = await register.create({
      ownerId: caller.accountId,
      name: body.name,
      softwareId: software,
      softwareVersion: version,
      memoryMb: body.memoryMb,
      openTo: body.openTo ?? null,
      acceptsLicense: license !== undefined,
      ...(build !== undefined && {
        first: {
          note: (id) => records.want(id, { software, version, build }),
          begin: (id) => runtime.install(id),
        },
      }),
    })
    const write = { op: servers.create, serverId: row.id, by: caller, address, params: {}, query: undefined }
    app.wrote({ ...write, body, answer: undefined, told: [], refused: null, below: false })
    c.header('Location', `${new URL(c.req.url).pathname}/${row.id}`)
    return view(row, 'owner', c)
  })

  serve(app, servers.read, ({ server, held, c }) => view(server, held, c))

  serve(app, servers.icon, async ({ server }) => ({ picture: await iconIn(files.of(server.id)) }))

  serve(app, servers.remove, async (given) => {
    const { server, query } = given
    if (query.confirm.trim() !== server.name) throw refusal(422, 'server.confirm-mismatch').at('confirm')
    // Don't use up a code for a request that is refused anyway.
    runtime.requireDown(server.id)
    await given.askSecondFactor()
    given.checkAgain()
    sources.filesLeft(given.caller.accountId, server.name, await register.remove(server.id))
  })

  mountNodes(app, { store, runtime })
  mountConfig(app, { store, runtime, register, files, allowance, settings, host })
  const asOwner: DuplicateRoutes['view'] = (row, c) => view(row, 'owner', c)
  mountDuplicate(app, { runtime, register, allowance, stateOf, copiedPack, files, view: asOwner })
  return asOwner
}

const toCursor = (seq: number): string => Buffer.from(`s${seq}`).toString('base64url')

function fromCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const seq = /^s(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (seq !== undefined) return Number(seq)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
