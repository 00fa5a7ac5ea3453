import { api } from '../../../contract/areas/index.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'

/** Reads that prove a server exists, likeliest first; only player statistics are specified (§4). */
const reads = [
  api.servers.read,
  api.players.stats,
  api.servers.status,
  api.console.history,
  api.files.list,
] as const

export async function knows(client: ApiClient, serverId: string): Promise<boolean> {
  let failed: PanelProblem | null = null
  const input = { params: { serverId } }
  for (const op of reads) {
    try {
      await client.send(op, input)
      return true
    } catch (error) {
      if (!(error instanceof PanelProblem)) throw error
      switch (error.problem.code) {
        case 'not-found':
        case 'unavailable':
        case 'incompatible':
          continue
        case 'service-failed':
          failed = error
          continue
        case 'forbidden':
        case 'conflict':
          return true
        default:
          throw error
      }
    }
  }
  if (failed) throw failed
  return false
}
