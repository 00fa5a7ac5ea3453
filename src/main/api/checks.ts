import { account } from '../../contract/areas/account.ts'
import { notifications } from '../../contract/areas/notifications.ts'
import type { Operation, Page } from '../../contract/declarations/operation.ts'
import type { User } from '../../contract/areas/account.ts'
import { servers, type Server } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { ResponseSummary, ListCheck, TokenCheck } from './classify.ts'
import { PageCollector } from './page-collector.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problemOf } from '../base/problem.ts'
import type { RequestInput } from './requests/request.ts'

/** Sends and classifies without waiting for a token check; throws the problem. */
export type CheckRequest = (
  op: Operation,
  given: RequestInput,
  extra: Partial<ResponseSummary>,
) => Promise<{ value: unknown }>

/** Operations that can verify a token, in contract.md's order; the last represents "the first protected read". */
const asked: readonly Operation[] = [account.me, notifications.list, servers.list]

/** Pages of 200 servers each. */
const PAGES_MOST = 50

/** Only a 401 means no; every other failure is inconclusive. */
export async function checkToken(ask: CheckRequest): Promise<TokenCheck> {
  let failed: Problem | null = null
  let misfit: Problem | null = null
  let refused: Problem | null = null
  for (const op of asked) {
    try {
      const { value } = await ask(op, {}, { tokenCheck: { kind: 'rejected' } })
      if (op !== account.me) return { kind: 'valid' }
      const user = value as User
      if (user.id || user.email) return { kind: 'valid', user }
      // A public page answers like this too.
      misfit ??= problemOf('incompatible', localized('answer.field', { field: 'id' }), { detail: 'id' })
    } catch (fault) {
      if (!(fault instanceof PanelProblem)) throw fault
      switch (fault.problem.code) {
        case 'signed-out':
          return { kind: 'rejected' }
        case 'forbidden':
          // Refused but authenticated; another request may be allowed.
          refused ??= fault.problem
          break
        case 'unavailable':
          break
        case 'incompatible':
          misfit ??= fault.problem
          break
        case 'service-failed':
          failed ??= fault.problem
          break
        default:
          return { kind: 'failed', problem: fault.problem }
      }
    }
  }
  if (refused) return { kind: 'refused', problem: refused }
  const why = failed ?? misfit
  return why ? { kind: 'failed', problem: why } : { kind: 'unavailable' }
}

export async function checkList(ask: CheckRequest, serverId: string): Promise<ListCheck> {
  let cursor: string | undefined
  const gathered = new PageCollector<Server>('id')
  try {
    for (let pages = 0; pages < PAGES_MOST; pages++) {
      const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
      const page = (await ask(servers.list, { query }, {})).value as Page<Server>
      if (page.items.some((server) => server.id === serverId)) return { kind: 'there' }
      gathered.add(page)
      const before = cursor
      cursor = page.nextCursor ?? undefined
      if (cursor !== undefined && cursor !== before) continue
      // Inconclusive if an item was unreadable or a page may be missing: the server could be there.
      const sure = cursor === undefined && gathered.leftOut.length === 0 && gathered.isWhole(page)
      return { kind: sure ? 'gone' : 'unavailable' }
    }
    return { kind: 'unavailable' }
  } catch (fault) {
    if (!(fault instanceof PanelProblem)) throw fault
    const { code } = fault.problem
    // For an account that can't see the list, its failure says nothing about the server.
    return code === 'unavailable' || code === 'incompatible' || code === 'forbidden'
      ? { kind: 'unavailable' }
      : { kind: 'failed', problem: fault.problem }
  }
}
