import type { z } from 'zod'
import { imports as operations } from '../../../contract/areas/imports.ts'
import { type Server, servers } from '../../../contract/areas/servers.ts'
import { javaBoolean } from '../../../contract/rules/java-values.ts'
import { dimensionMoves, moveDimensions } from '../../changes/dimension-moves.ts'
import { requireMemory } from '../../base/computer-limits.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import type { CatalogEntry, Runtime } from '../../runtime/types.ts'
import { serve, type RequestContext, type ServiceApp } from '../../http/serve.ts'
import { chosenSoftware, licenseNeeded } from '../../software/chosen-software.ts'
import { customRecord, readOwnJar, UNKNOWN_VERSION } from '../../software/custom-jar.ts'
import { CUSTOM, type InstallationRecord, type InstalledRecords } from '../../software/installed.ts'
import { foreignManagementKeys } from '../../software/management-ports.ts'
import type { Software } from '../../software/software.ts'
import { EULA_FILE, writeSettings } from '../../software/installs/server-files.ts'
import type { NewServer, ServerRow } from '../../store/servers.ts'
import { readSettings, readWorldSettings, REMOTE_CONSOLE } from '../../worlds/server-properties.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { type ContainerRoutes, mountContainers } from './containers/routes.ts'
import { Imports, type ImportsPorts } from './imports.ts'
import { filesWithin, type InspectedUpload } from './inspect-upload.ts'
import { findLevel, toldLevel } from './recognize/level.ts'

interface ServerImporter {
  bring(
    folder: string,
    wish: Pick<NewServer, 'ownerId' | 'name' | 'softwareId' | 'softwareVersion' | 'memoryMb' | 'openTo'> & {
      acceptsLicense: boolean
    },
    at: { port: number | null; before: (serverId: string) => void },
  ): Promise<ServerRow>
}

interface ImportRoutes extends ImportsPorts, ContainerRoutes {
  runtime: ContainerRoutes['runtime'] & Pick<Runtime, 'catalog' | 'versions'>
  register: ServerImporter & ContainerRoutes['register']
  /** Throws 409 `server.too-many`. */
  allowance: { requireServer(accountId: string, memoryMb: number): void }
  records: InstalledRecords
  files: Pick<AllServerFiles, 'of' | 'forget'>
  view: (row: ServerRow, c: RequestContext) => z.input<typeof Server>
}

export function mountImports(app: ServiceApp, ports: ImportRoutes): Imports {
  const { runtime, register, allowance, records, files, view } = ports
  const imports = new Imports(ports)
  mountContainers(app, ports)

  const requireOffered = () => {
    if (!runtime.software(CUSTOM)) throw refusal(501, 'imports.not-offered')
  }

  serve(app, operations.begin, async ({ caller, query }) => {
    const isServer = query.for === undefined || query.for === 'server'
    if (isServer) requireOffered()
    // Other uploads may be for an existing server; otherwise refuse before gigabytes are sent.
    if (isServer || query.creates) allowance.requireServer(caller.accountId, 0)
    return imports.view((await imports.begin(caller.accountId)).id)
  })

  serve(app, operations.read, ({ caller, params }) =>
    imports.view(imports.require(caller.accountId, params.importId).id),
  )

  serve(app, operations.look, ({ caller, params, body }) => {
    requireOffered()
    const draft = imports.require(caller.accountId, params.importId)
    const { archive, names } = body
    imports.look(draft, archive === undefined ? null : { archive, names })
    return imports.view(draft.id)
  })

  serve(app, operations.remove, async ({ caller, params }) => {
    const { id } = imports.require(caller.accountId, params.importId)
    imports.requireUnused(id)
    await imports.end(id)
  })

  serve(app, operations.create, async ({ caller, params, body, address, c }) => {
    const { id, ownerId } = imports.require(caller.accountId, params.importId)
    const found = imports.requireFound(id)
    requireMemory(body.memoryMb)
    const chosen = await softwareFor(runtime, found, body.software)
    if (chosen.entry.license && !body.acceptLicense) throw licenseNeeded(chosen.entry.license)
    imports.require(caller.accountId, id)
    if (imports.requireFound(id) !== found) throw refusal(409, 'imports.changed')
    const row = await imports.conclude(id, async () => {
      const own = filesWithin(files.of(id), found.folder)
      const jar = chosen.jar === null ? null : await readOwnJar(own, chosen.jar)
      const record: InstallationRecord | null = jar && {
        ...customRecord(chosen.jar!, jar),
        version: chosen.version,
      }
      await makeReady(own, found)
      const former = found.software?.id ? runtime.software(found.software.id) : null
      await moveWorlds(own, former, runtime.software(chosen.entry.id))
      const wish = {
        ...{ ownerId, name: body.name, memoryMb: body.memoryMb, openTo: body.openTo ?? null },
        ...{ softwareId: chosen.entry.id, softwareVersion: chosen.version },
        acceptsLicense: chosen.entry.license !== undefined,
      }
      const before = (serverId: string) => void (record && records.write(serverId, record))
      return register.bring(own.root, wish, { port: body.port ?? null, before })
    })
    const write = { op: servers.create, serverId: row.id, by: caller, address, params: {}, query: undefined }
    const told = { body: { name: body.name }, answer: undefined, told: [], refused: null, below: false }
    app.wrote({ ...write, ...told })
    return view(row, c)
  })

  return imports
}

interface ImportSoftware {
  entry: CatalogEntry
  version: string
  jar: string | null
}

/** Throws 422 if not offered, and 409 `imports.no-jar`. */
async function softwareFor(
  runtime: ImportRoutes['runtime'],
  found: InspectedUpload,
  { id, version, jar: chosenJar }: { id: string; version?: string | undefined; jar?: string | undefined },
): Promise<ImportSoftware> {
  if (id !== CUSTOM) {
    const chosen = { id, version: version ?? '' }
    const entry = await chosenSoftware(runtime, chosen, { id: 'software', version: 'version' })
    return { entry, version: chosen.version, jar: null }
  }
  const entry = runtime.catalog().find((one) => one.id === CUSTOM)
  const jar = found.jars?.find(({ name }) => chosenJar === undefined || name === chosenJar)
  if (!entry || jar === undefined) throw refusal(409, 'imports.no-jar')
  const ofOther = jar === found.jars?.[0] ? found.software?.version : null
  return { entry, version: jar.version ?? ofOther ?? UNKNOWN_VERSION, jar: jar.name }
}

/** Idempotent. The person accepts the license here; an imported eula.txt does not count. */
async function makeReady(own: ServerFiles, found: InspectedUpload): Promise<void> {
  using root = own.open('')
  await removeTree(root.at(EULA_FILE))
  const settings = await readSettings(own).catch(unreadable)
  if (settings === 'unreadable') return
  const worlds = found.worlds ?? []
  const level = toldLevel(await findLevel(own, settings), worlds)
  // Imported settings name the world, whether it was found or not.
  const isChosenHere = settings
    ? level.state === 'outside' || level.state === 'other-form'
    : level.state === 'missing'
  const name = isChosenHere ? (level.folder ?? worlds[0]?.name) : undefined
  if (!settings && name === undefined) return
  await writeSettings(own, (values) => ({
    ...remotesOff(values),
    ...(name !== undefined && { 'level-name': name }),
  }))
}

/** The server does not start with unreadable settings either. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof UnusableFile) return 'unreadable'
  throw error
}

/** Other software expects the Nether and the End elsewhere. Idempotent. */
async function moveWorlds(own: ServerFiles, ...software: [Software | null, Software | null]): Promise<void> {
  const { level } = await readWorldSettings(own)
  moveDimensions(own, dimensionMoves(own, level, ...software))
}

/**
 * Whoever has the files knows the management secret, which is replaced at the start, and the RCON password. RCON is
 * reachable wherever the game is, so it stays off until turned on again.
 */
const remotesOff = (values: ReadonlyMap<string, string>): Record<string, string | null> => ({
  ...Object.fromEntries(foreignManagementKeys(values).map((key) => [key, null])),
  ...(javaBoolean(values.get(REMOTE_CONSOLE) ?? '') && { [REMOTE_CONSOLE]: 'false' }),
})
