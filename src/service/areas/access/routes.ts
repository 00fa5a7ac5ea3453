import { access } from '../../../contract/areas/access.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { scopeEntries } from '../../hosting/sharing/scopes.ts'
import { Sharing, type SharingParts } from '../../hosting/sharing/sharing.ts'

const PAGE = 50

export function mountAccess(app: ServiceApp, parts: SharingParts): void {
  const sharing = new Sharing(parts)

  serve(app, access.list, ({ server, caller }) => ({
    items: sharing.list(server, caller.accountId),
    nextCursor: null,
  }))
  serve(app, access.invite, ({ server, held, caller, body, checkAgain }) => {
    const { accountId } = caller
    const again = () => {
      checkAgain()
      const now = app.access.held(accountId, server)
      if (now === null) throw refusal(404, 'server.not-found.shared')
      return { accountId, held: now }
    }
    return sharing.invite(server, { accountId, held }, body, again)
  })
  serve(app, access.leave, ({ server, caller }) => sharing.leave(server, caller.accountId))
  serve(app, access.change, ({ server, held, caller, params, body, logTarget }) => {
    logTarget(...sharing.nameOf(server, params.userId))
    return sharing.change(server, { accountId: caller.accountId, held }, params.userId, body.scopes)
  })
  serve(app, access.remove, ({ server, held, caller, params, logTarget }) => {
    logTarget(...sharing.nameOf(server, params.userId))
    sharing.remove(server, { accountId: caller.accountId, held }, params.userId)
  })
  serve(app, access.scopes, () => ({ items: [...scopeEntries], nextCursor: null }))
  serve(app, access.invitations, ({ caller, query }) => {
    const limit = query.limit ?? PAGE
    const found = sharing.offers(caller.accountId, query.cursor ?? '', limit + 1)
    const items = found.slice(0, limit)
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
  })
  serve(app, access.answer, ({ caller, params, body, address }) => {
    const serverId = sharing.answer(caller, params.invitationId, body.accept)
    // The path has no server id. Declining has no relation to the server, so the address is not logged.
    const from = body.accept ? address : ''
    const write = { op: access.answer, serverId, by: caller, address: from, params, query: undefined, body }
    app.wrote({ ...write, answer: undefined, told: [], refused: null, below: false })
  })
}
