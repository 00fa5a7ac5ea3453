import type { DriverName } from '../../../contract/areas/values/container-config.ts'
import { servers } from '../../../contract/areas/servers.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import type { AccessGrant } from '../../base/access.ts'
import { requireMemory } from '../../base/computer-limits.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { linksOut } from '../../files/links-out.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { decides } from '../../runtime/adopted-server.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { ownArguments } from '../../software/java/own-arguments.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { Store } from '../../store/store.ts'
import type { ServerRegister } from './register.ts'
import type { ServerSettings, SettingsSnapshot } from './server-settings.ts'
import { configChange, configTag, configView, matches } from './view.ts'

export interface ConfigRoutes {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'usesJava' | 'runs' | 'software' | 'drivers' | 'nodes'>
  register: ServerRegister
  files: Pick<AllServerFiles, 'of'>
  allowance: Pick<AccountAllowance, 'requireMemory'>
  settings: ServerSettings
  host: string
}

export function mountConfig(
  app: ServiceApp,
  { store, runtime, register, files, allowance, settings, host }: ConfigRoutes,
): void {
  // Serialized per server: each change writes in two places.
  const turns = new Lanes({ perLane: 1 })
  const view = async (row: ServerRow, settings: SettingsSnapshot, held: AccessGrant['held']) =>
    configView(row, {
      ...{ settings, host },
      usesJava: runtime.usesJava(row.softwareId),
      sleeps: !runtime.software(row.softwareId)?.isProxy,
      drivers: runtime.drivers,
      runs: runtime.runs(row.id),
      linksOut: await linksOut(files.of(row.id).root),
      // Settings can be read while the swarm is away.
      nodes: held === 'owner' ? ((await runtime.nodes?.names().catch(() => [])) ?? []) : [],
    })

  serve(app, servers.readConfig, async ({ server, held, c }) => {
    const now = await settings.read(server)
    const row = store.servers.byId(server.id) ?? server
    c.header('ETag', configTag(row, now))
    return view(row, now, held)
  })

  serve(app, servers.changeConfig, (given) =>
    turns.run(given.server.id, () => {
      const { body, c } = given
      const change = ownChange(given.server, body)
      const rowNow = (): ServerRow => store.servers.byId(given.server.id) ?? given.server
      const requireAllowed = ({ ownerId, memoryMb }: ServerRow): void => {
        if (body.memoryMb !== undefined) allowance.requireMemory(ownerId, body.memoryMb - memoryMb)
      }
      /** No await between this check and the write. */
      const check = (now: SettingsSnapshot): void => {
        given.checkAgain()
        const row = rowNow()
        if (!matches(c.req.header('if-match'), configTag(row, now)))
          throw changedMeanwhile(configTag(row, now))
        if (body.memoryMb !== undefined) requireMemory(body.memoryMb)
        requireAllowed(row)
        if (change.driver !== undefined && change.driver !== row.driver)
          requireDriver(change.driver, given.held, runtime.drivers)
        if (change.javaArgs ?? change.jvmSet) requireArguments({ ...row, ...change })
      }
      const write = async () => {
        let changed = rowNow()
        await requireNode(change.node, changed, given.held, runtime.nodes)
        /** The row first: the database fails more readily than the rename of a written file. */
        const save = (place: () => void): void => {
          const before = rowNow()
          const next = Object.keys(change).length === 0 ? before : store.servers.change(before, change)
          if (!next) throw refusal(404, 'server.not-found.deleted')
          changed = next
          try {
            place()
          } catch (error) {
            if (changed !== before) store.servers.takeBack(changed, before)
            throw error
          }
          if (changed !== before) register.changed(changed)
        }
        let now: SettingsSnapshot
        if (body.properties) now = await settings.change(changed, byKey(body.properties), check, save)
        else {
          now = await settings.read(changed)
          check(now)
          save(() => undefined)
        }
        c.header('ETag', configTag(changed, now))
        return view(changed, now, given.held)
      }
      const row = rowNow()
      const isMoved = body.port !== undefined && body.port !== row.port
      const work = () => (isMoved ? register.withPort({ ...row, ...change }, body.port!, write) : write())
      // Serialized per owner, because memory is counted and then written.
      return body.memoryMb === undefined ? work() : turns.run(`memory of ${row.ownerId}`, work)
    }),
  )
}

const byKey = (changes: readonly { key: string; value: string | null }[]) =>
  new Map(changes.map(({ key, value }) => [key, value]))

/** Throws 409 `adopted.decides` at the first field that its container decides. */
function ownChange({ container }: ServerRow, body: Parameters<typeof configChange>[0]) {
  const other = Object.keys(body).find((name) => name !== 'name' && name !== 'properties')
  if (container !== null && other !== undefined) throw decides(container).at(other)
  return configChange(body)
}

/** A container protects the other servers, so only the owner decides. */
function requireDriver(driver: DriverName, held: AccessGrant['held'], offered: readonly DriverName[]): void {
  if (held !== 'owner') throw refusal(403, 'engine.owner').at('driver')
  if (!offered.includes(driver)) throw refusal(409, 'engine.not-offered').at('driver')
}

async function requireNode(
  node: string | null | undefined,
  row: ServerRow,
  held: AccessGrant['held'],
  nodes: Runtime['nodes'],
): Promise<void> {
  if (node === undefined || node === row.node) return
  if (held !== 'owner') throw refusal(403, 'node.server-owner').at('node')
  if (node === null) return
  if (!nodes) throw refusal(409, 'node.none').at('node')
  if (!(await nodes.names()).includes(node)) throw refusal(409, 'node.not-offered', { node }).at('node')
}

function changedMeanwhile(tag: string): Refusal {
  return refusal(412, 'config.changed').with({ ETag: tag })
}

/** Throws 422 `software.arguments` at their field. */
function requireArguments({ javaArgs, jvmSet }: ServerRow): void {
  try {
    ownArguments(javaArgs, jvmSet)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw error.at('javaArgs')
  }
}
