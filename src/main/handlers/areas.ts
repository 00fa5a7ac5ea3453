import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/areas/operation.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../api/problem.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

/** The reads that tell whether a service offers an area. Any one of them is enough: what it answers can be shown. */
const readsOf = {
  players: [api.players.list, api.players.stats],
  software: [api.software.list],
  extensions: [api.extensions.list],
  access: [api.access.list],
  notifications: [api.notifications.list],
  promocodes: [api.promocodes.list],
} satisfies Record<string, Operation[]>

/** It answered, though not in the shape we expect: it is there. A web page or a strange status is no such answer. */
const isOtherShape = ({ code, detail }: Problem): boolean =>
  code === 'incompatible' && detail !== 'body' && detail !== 'status'

export function areaHandlers({ connections, ports }: Rooms): AreaHandlers<'areas'> {
  return {
    async 'areas.read'({ connectionId, serverId, area, again }) {
      const client = connections.client(connectionId)
      const reads: readonly Operation[] = readsOf[area]
      const problems: Problem[] = []
      for (const op of reads) {
        if (again) client.offered.askAgain(op.id)
        try {
          await client.send(op, op.path.includes(':serverId') ? { params: { serverId } } : {})
          return { kind: 'offered', operation: op.id }
        } catch (error) {
          if (!(error instanceof PanelProblem)) throw error
          if (isOtherShape(error.problem)) return { kind: 'offered', operation: op.id }
          problems.push(error.problem)
        }
      }
      const failed = problems.find(({ code }) => code !== 'unavailable')
      if (failed) return { kind: 'failed', problem: failed }
      const [first] = reads
      const since = (first && client.offered.missingSince(first.id)) ?? ports.now()
      return { kind: 'unavailable', since: new Date(since).toISOString(), operation: first?.id ?? area }
    },
  }
}
