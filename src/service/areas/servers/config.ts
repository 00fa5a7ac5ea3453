import { servers } from '../../../contract/areas/servers.ts'
import type { AccountAllowance } from '../../account-allowance.ts'
import { requireMemory } from '../../computer-memory.ts'
import { Refusal } from '../../refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../serve.ts'
import { ownArguments } from '../../software/java/own-arguments.ts'
import type { Store } from '../../store/store.ts'
import type { ServerRegister } from './register.ts'
import { configChange, configTag, configView, matches } from './view.ts'

export interface ConfigRoutes {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'usesJava'>
  register: Pick<ServerRegister, 'changed'>
  allowance: Pick<AccountAllowance, 'requireMemory'>
}

/** Mounts reading and changing the configuration of a server. */
export function mountConfig(app: ServiceApp, { store, runtime, register, allowance }: ConfigRoutes): void {
  serve(app, servers.readConfig, ({ server, c }) => {
    c.header('ETag', configTag(server))
    return configView(server, runtime.usesJava(server.softwareId))
  })

  serve(app, servers.changeConfig, ({ server, body, c }) => {
    if (body.memoryMb !== undefined) {
      requireMemory(body.memoryMb)
      allowance.requireMemory(server.ownerId, body.memoryMb - server.memoryMb)
    }
    const change = configChange(body)
    if (change.javaArgs ?? change.jvmSet) requireArguments({ ...server, ...change })
    const changed =
      matches(c.req.header('if-match'), configTag(server)) && store.servers.change(server, change)
    if (!changed) {
      const message = 'The configuration was changed in the meantime. Reload it, then make your change.'
      throw new Refusal(412, 'config.changed', message, { headers: { ETag: configTag(server) } })
    }
    register.changed(changed)
    c.header('ETag', configTag(changed))
    return configView(changed, runtime.usesJava(changed.softwareId))
  })
}

/** Throws 422 `software.arguments`, at their field. */
function requireArguments({ javaArgs, jvmSet }: Parameters<typeof configView>[0]): void {
  try {
    ownArguments(javaArgs, jvmSet)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.status, error.code, error.message, { fields: { javaArgs: [error.message] } })
  }
}
