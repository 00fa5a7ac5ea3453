import { join } from 'node:path'
import type { Connections } from '../accounts/connections.ts'
import type { Readiness } from '../accounts/readiness.ts'
import { type Clock, systemClock } from '../base/retry.ts'
import type { PanelStorage } from '../panel/open-storage.ts'
import { Copies, COPIES } from './copies.ts'
import { CopyPlans } from './copy-plans.ts'

const LOOK_EVERY = 60_000

interface CopiesParts extends Pick<
  PanelStorage,
  'ports' | 'cache' | 'toProblem' | 'log' | 'broadcast' | 'notes' | 'forgetting'
> {
  connections: Connections
  readiness: Readiness
}

/** To be closed before the connections: saving may have to be turned on again. */
export function openCopies(rooms: CopiesParts): { copies: Copies; copyPlans: CopyPlans } & AsyncDisposable {
  const { ports, cache, toProblem, log, broadcast, notes, forgetting, connections, readiness } = rooms
  const clock: Clock = { ...systemClock, now: ports.now }
  const copyPlans = new CopyPlans(cache, ports.now)
  const copies = new Copies({
    ...{ clock, log, toProblem, plans: copyPlans, root: join(ports.dataDir, COPIES) },
    connection: (id) => connections.list().find((one) => one.id === id) ?? null,
    client: (connectionId) => connections.client(connectionId),
    hasFolders: Boolean(ports.systemFiles),
    tell: (server, now) => broadcast('copies', { ...server, now }),
    note: (said) => notes.tell(said),
  })
  forgetting.onLeave((connectionId) => copies.leave(connectionId))
  forgetting.add((connectionId) => copyPlans.forget(connectionId))
  readiness.onReady(() => void copies.look())
  const timer = setInterval(() => void copies.look(), LOOK_EVERY)
  return {
    ...{ copies, copyPlans },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await copies.leave(null)
    },
  }
}
