import { access } from '../../../contract/areas/access.ts'
import { Refusal } from '../../refusal.ts'
import { serve, type ServiceApp } from '../../serve.ts'
import { scopeEntries } from './scopes.ts'
import { Sharing, type SharingParts } from './sharing.ts'

/** Invitations on a page where the caller does not say. */
const PAGE = 50

/** Counts invitations by their sender and their address. */
export interface InvitationLimiter {
  take(
    code: string,
    sentence: string,
    ...keys: ['invitesPerAccount' | 'invitesPerEmail', string][]
  ): Promise<void>
}

/** Mounts who shares a server, what can be granted, and the invitations of an account. */
export function mountAccess(
  app: ServiceApp,
  limiter: InvitationLimiter,
  parts: Omit<SharingParts, 'countInvitation'>,
): void {
  const countInvitation = (accountId: string, email: string) =>
    limiter.take(
      'access.too-many-invitations',
      'Too many invitations were sent.',
      ['invitesPerAccount', accountId],
      ['invitesPerEmail', email],
    )
  const sharing = new Sharing({ ...parts, countInvitation })

  serve(app, access.list, ({ server, caller }) => ({
    items: sharing.list(server, caller.accountId),
    nextCursor: null,
  }))
  serve(app, access.invite, ({ server, held, caller, body, checkAgain }) => {
    const { accountId } = caller
    const again = () => {
      checkAgain()
      const now = app.access.held(accountId, server)
      if (now === null)
        throw new Refusal(404, 'server.not-found', 'This server is no longer shared with you.')
      return { accountId, held: now }
    }
    return sharing.invite(server, { accountId, held }, body, again)
  })
  serve(app, access.leave, ({ server, caller }) => sharing.leave(server, caller.accountId))
  serve(app, access.change, ({ server, held, caller, params, body }) =>
    sharing.change(server, { accountId: caller.accountId, held }, params.userId, body.scopes),
  )
  serve(app, access.remove, ({ server, held, caller, params }) =>
    sharing.remove(server, { accountId: caller.accountId, held }, params.userId),
  )
  serve(app, access.scopes, () => ({ items: [...scopeEntries], nextCursor: null }))
  serve(app, access.invitations, ({ caller, query }) => {
    const limit = query.limit ?? PAGE
    const found = sharing.offers(caller.accountId, query.cursor ?? '', limit + 1)
    const items = found.slice(0, limit)
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
  })
  serve(app, access.answer, ({ caller, params, body }) =>
    sharing.answer(caller, params.invitationId, body.accept),
  )
}
