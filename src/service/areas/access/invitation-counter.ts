type Count =
  'invitesPerAccount' | 'invitesPerPair' | 'inviteFirst' | 'invitesFirstPerEmail' | 'invitesPerEmail'

export interface InvitationLimiter {
  /** Refuses with 429 if exhausted. */
  take(code: string, sentence: string, ...keys: [Count, string][]): Promise<void>
  tryOne(name: Count, key: string): Promise<boolean>
}

/**
 * Sender limits come first, so that exhausting them affects only that sender. The limit shared per address excludes
 * each sender's first of a day, so nobody can block an owner's invitation. Throws 429 `access.too-many-invitations`.
 */
export const invitationCounter =
  (limiter: InvitationLimiter) =>
  async (accountId: string, email: string): Promise<void> => {
    const pair = `${accountId} ${email}`
    const take = (...keys: [Count, string][]) =>
      limiter.take('access.too-many-invitations', 'invitations-sent', ...keys)
    await take(['invitesPerAccount', accountId], ['invitesPerPair', pair])
    const isFirst = await limiter.tryOne('inviteFirst', pair)
    await take([isFirst ? 'invitesFirstPerEmail' : 'invitesPerEmail', email])
  }
