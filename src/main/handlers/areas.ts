import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/areas/operation.ts'
import { PanelProblem } from '../api/problem.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

/** The read that tells whether a service offers an area. */
const firstRead = {
  players: api.players.list,
  software: api.software.list,
  extensions: api.extensions.list,
  access: api.access.list,
  notifications: api.notifications.list,
  promocodes: api.promocodes.list,
} satisfies Record<string, Operation>

export function areaHandlers({ connections, ports }: Rooms): AreaHandlers<'areas'> {
  return {
    async 'areas.read'({ connectionId, serverId, area, again }) {
      const op = firstRead[area] as Operation
      const client = connections.client(connectionId)
      if (again) client.offered.askAgain(op.id)
      try {
        await client.send(op, op.path.includes(':serverId') ? { params: { serverId } } : {})
        return { kind: 'offered' }
      } catch (error) {
        if (!(error instanceof PanelProblem)) throw error
        const { problem } = error
        // It answered, though not in the shape we expect: the area is there.
        if (problem.code === 'incompatible') return { kind: 'offered' }
        if (problem.code !== 'unavailable') return { kind: 'failed', problem }
        const since = client.offered.missingSince(op.id) ?? ports.now()
        return { kind: 'unavailable', since: new Date(since).toISOString(), operation: op.id }
      }
    },
  }
}
