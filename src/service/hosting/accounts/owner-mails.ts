import type { Logger } from 'pino'
import type { Mail } from '../mail/mail.ts'
import type { AccountsOptions } from './accounts.ts'
import type { LimitName } from '../../http/limits/limits.ts'
import type { Reader } from './sign-in/mails.ts'

/** Work after the answer, such as mail, so that response times do not reveal whether there is any. */
export class BackgroundTasks {
  readonly #log: Logger
  readonly #pending = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  do(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'a mail could not be written'))
      .finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }
}

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
