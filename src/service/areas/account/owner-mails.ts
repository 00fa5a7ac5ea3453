import type { Mail } from '../../mail/mail.ts'
import type { AccountsOptions } from './accounts.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { LimitName } from '../../http/limits/limits.ts'
import type { Reader } from './sign-in/mails.ts'

/** Mails the owner about changes to sign-in methods: someone else may have made them. */
export type OwnerMails = (
  accountId: string,
  limit: Extract<LimitName, 'secondFactorMails' | 'identityMails'>,
  mail: (to: string, reader: Reader) => Mail,
) => void

export const ownerMails =
  ({ store, limiter, outbox }: AccountsOptions, afterAnswer: BackgroundTasks): OwnerMails =>
  (accountId, limit, mail) =>
    afterAnswer.do(async () => {
      const account = store.accounts.byId(accountId)
      if (!account?.email || !limiter.tryAll([limit, accountId])) return
      await outbox.send(mail(account.email, account))
    })
