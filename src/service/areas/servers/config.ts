import { servers } from '../../../contract/areas/servers.ts'
import type { AccountAllowance } from '../../account-allowance.ts'
import { requireMemory } from '../../computer-memory.ts'
import { Refusal } from '../../refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../serve.ts'
import { ownArguments } from '../../software/java/own-arguments.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { Store } from '../../store/store.ts'
import type { ServerRegister } from './register.ts'
import type { ServerSettings, SettingsNow } from './server-settings.ts'
import { configChange, configTag, configView, matches } from './view.ts'

export interface ConfigRoutes {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'usesJava'>
  register: ServerRegister
  allowance: Pick<AccountAllowance, 'requireMemory'>
  settings: ServerSettings
}

/** Mounts what an owner can set of a server: what the service keeps of it, and what is in its software's own file. */
export function mountConfig(
  app: ServiceApp,
  { store, runtime, register, allowance, settings }: ConfigRoutes,
): void {
  const turns = new Turns()
  const view = (row: ServerRow, now: SettingsNow) => configView(row, now, runtime.usesJava(row.softwareId))

  serve(app, servers.readConfig, async ({ server, c }) => {
    const now = await settings.read(server)
    // What was waited for may have changed the row.
    const row = store.servers.byId(server.id) ?? server
    c.header('ETag', configTag(row, now))
    return view(row, now)
  })

  serve(app, servers.changeConfig, (given) =>
    turns.take(given.server.id, async () => {
      const { body, c } = given
      const change = configChange(body)
      const rowNow = (): ServerRow => store.servers.byId(given.server.id) ?? given.server
      /** Between it and what is written nothing waits. */
      const check = (now: SettingsNow): void => {
        given.checkAgain()
        const row = rowNow()
        if (!matches(c.req.header('if-match'), configTag(row, now)))
          throw changedMeanwhile(configTag(row, now))
        if (body.memoryMb !== undefined) {
          requireMemory(body.memoryMb)
          allowance.requireMemory(row.ownerId, body.memoryMb - row.memoryMb)
        }
        if (change.javaArgs ?? change.jvmSet) requireArguments({ ...row, ...change })
      }
      let now: SettingsNow
      if (body.properties) now = await settings.change(rowNow(), byKey(body.properties), check)
      else {
        now = await settings.read(rowNow())
        check(now)
      }
      const before = rowNow()
      const changed = Object.keys(change).length === 0 ? before : store.servers.change(before, change)
      if (!changed) throw changedMeanwhile(configTag(before, now))
      if (changed !== before) register.changed(changed)
      c.header('ETag', configTag(changed, now))
      return view(changed, now)
    }),
  )
}

const byKey = (changes: readonly { key: string; value: string | null }[]) =>
  new Map(changes.map(({ key, value }) => [key, value]))

/** Changes of one server's configuration, one after the other: each of them writes into two places. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(serverId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(serverId) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => undefined)
    this.#last.set(serverId, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(serverId) === settled) this.#last.delete(serverId)
    }
  }
}

function changedMeanwhile(tag: string): Refusal {
  const message = 'The configuration was changed in the meantime. Reload it, then make your change.'
  return new Refusal(412, 'config.changed', message, { headers: { ETag: tag } })
}

/** Throws 422 `software.arguments`, at their field. */
function requireArguments({ javaArgs, jvmSet }: ServerRow): void {
  try {
    ownArguments(javaArgs, jvmSet)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.status, error.code, error.message, { fields: { javaArgs: [error.message] } })
  }
}
