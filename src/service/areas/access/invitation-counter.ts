/** What invitations are counted by. */
type Count =
  'invitesPerAccount' | 'invitesPerPair' | 'inviteFirst' | 'invitesFirstPerEmail' | 'invitesPerEmail'

/** Counts tries; see `account/limits.ts`. */
export interface InvitationLimiter {
  /** Refuses with 429 where one is used up. */
  take(code: string, sentence: string, ...keys: [Count, string][]): Promise<void>
  /** False where they are used up. */
  tryOne(name: Count, key: string): Promise<boolean>
}

/**
 * Counts invitations by mail. Those of a sender come first: what one has used up is told to that one alone. What all
 * senders share of an address is only what they send in addition to their first of a day, so that nobody can keep an
 * owner from inviting somebody. Throws 429 `access.too-many-invitations`.
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
