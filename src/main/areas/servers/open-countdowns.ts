import { api } from '../../../contract/areas/index.ts'
import type { ProblemConverter } from '../../logging/to-problem.ts'
import type { Broadcast } from '../../base/windows.ts'
import type { ServerTable } from '../../views/server-table.ts'
import type { WriteSender } from '../../views/writes.ts'
import { Countdowns } from './countdowns.ts'

/** Limit of a warning, in ms: a later one would be untrue. */
const SAYING_MS = 5000

interface CountdownParts {
  writes: WriteSender
  servers: ServerTable
  broadcast: Broadcast
  toProblem: ProblemConverter
  ports: { now: () => number }
}

export function openCountdowns({ writes, servers, broadcast, toProblem, ports }: CountdownParts): Countdowns {
  return new Countdowns({
    now: ports.now,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    isOnline: (server) => servers.status(server)?.status === 'online',
    playersOn: (server) => servers.playersOn(server),
    async say({ connectionId, serverId }, text) {
      const input = { params: { serverId }, body: { command: `say ${text}` } }
      await writes.send(api.console.command, { connectionId, serverId }, input, { headMs: SAYING_MS })
    },
    async act({ connectionId, serverId }, action) {
      const input = { params: { serverId }, body: { action } }
      await writes.send(api.servers.power, { connectionId, serverId }, input)
    },
    tell: (all) => broadcast('countdowns', all),
    failed: ({ connectionId, serverId }, error) =>
      broadcast('countdown-failed', { connectionId, serverId, problem: toProblem(error) }),
  })
}
