import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { refusal, Refusal } from '../../base/refusal.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { CodePurpose, CodeRow } from '../../store/codes.ts'
import type { Store } from '../../store/store.ts'
import type { ClientIdentity } from './sign-in/client-identity.ts'
import type { Limiter } from './sign-in/limits.ts'
import { CODE_MINUTES } from './sign-in/mails.ts'
import type { Mail, Outbox } from '../../mail/mail.ts'
import { hashCode, newCode, sameSecret } from './sign-in/secrets.ts'

const CODE_MS = CODE_MINUTES * 60 * 1000
const CODE_TRIES = 5

interface CodesOptions {
  store: Pick<Store, 'accounts' | 'codes' | 'inOneStep'>
  clock: Clock
  limiter: Limiter
  outbox: Outbox
}

/** A code that was right when it was looked at. */
export interface RightCode {
  account: AccountRow
  purpose: CodePurpose
  row: CodeRow
}

/**
 * Codes by mail. Each belongs to the address that asked for it, so that nobody else's asking voids it and nobody else's
 * tries use it up. It can be entered elsewhere too, as the newest one, as long as strangers' tries last.
 */
export class Codes {
  readonly #store: CodesOptions['store']
  readonly #clock: Clock
  readonly #limiter: Limiter
  readonly #outbox: Outbox

  constructor({ store, clock, limiter, outbox }: CodesOptions) {
    this.#store = store
    this.#clock = clock
    this.#limiter = limiter
    this.#outbox = outbox
  }

  /**
   * Sends a code and makes it the one of who asked. Where there is nobody to send it to, the same work is done for nothing:
   * what is asked of the service meanwhile takes as long.
   */
  async send(
    account: AccountRow | null,
    purpose: CodePurpose,
    asker: ClientIdentity,
    mail: (code: string) => Mail,
  ): Promise<void> {
    const code = newCode()
    const salt = randomBytes(16).toString('base64url')
    const now = this.#clock.now()
    const row: CodeRow = {
      ...{ askedBy: asker.addressHash, salt, hash: hashCode(code, salt) },
      ...{ expiresAt: now + CODE_MS, triesLeft: CODE_TRIES },
    }
    const { codes } = this.#store
    this.#store.inOneStep(() => (account ? codes.put(account.id, purpose, row, now) : codes.feign(row, now)))
    await (account ? this.#outbox.send(mail(code)) : this.#outbox.feign(mail(code)))
  }

  /** Counts a mail that was asked for; from now on who asked has tries of their own. Refuses with 429; rejects where no mail can be written. */
  async takeMail(purpose: CodePurpose, asker: ClientIdentity): Promise<void> {
    const what = 'codes-requested'
    const { group, pair } = asker
    if (asker.known) {
      await this.#limiter.take('account.too-many-codes', what, ['mailKnown', pair], ['mailKnownDaily', pair])
    } else {
      await this.#limiter.take(
        'account.too-many-codes',
        what,
        ['mailPerAddress', group],
        ['mailPerPair', pair],
        ['mailPerPairDaily', pair],
      )
      await this.#takeOfAll(what, asker)
    }
    // The answer is given before the mail is written, and the same whether there is one or not: so that it is true, it
    // is looked at first, for every email, whether one could be written.
    await this.#outbox.ready()
    await this.#limiter.begin('codePerAsker', countedBy(purpose, asker))
  }

  /** Counts a mail with all that strangers ask for. When those are used up, who asks for the first time has a reserve. */
  async #takeOfAll(what: PartId, { email, pair }: ClientIdentity): Promise<void> {
    const isFirst = await this.#limiter.tryOne('mailFirst', pair)
    if (await this.#limiter.tryOne('mailPerEmailDaily', email)) return
    const code = 'account.too-many-codes'
    if (!isFirst) return this.#limiter.take(code, what, ['mailPerEmailDaily', email])
    try {
      await this.#limiter.take(code, what, ['mailReserve', email])
    } catch (error) {
      // Nothing was sent: the next time is the first one still.
      await this.#limiter.giveBack('mailFirst', pair)
      throw error
    }
  }

  /** Checks a code; what is done with it afterwards begins with `use`. Refuses with 422, or 429. */
  async check(purpose: CodePurpose, code: string, asker: ClientIdentity): Promise<RightCode> {
    await this.#countTry(purpose, asker)
    const found = this.#store.inOneStep(() => this.#compare(purpose, code, asker))
    if (found instanceof Refusal) throw found
    // It was no guess.
    await this.#limiter.giveBack('codePerAsker', countedBy(purpose, asker))
    return found
  }

  /**
   * Uses a code up, in the same step as what it is for. Refuses with 422 where it was used, replaced or became too old
   * since it was checked.
   */
  use({ account, purpose, row }: RightCode): void {
    if (!this.#isGood(row)) throw expired()
    const still = [
      this.#store.codes.of(account.id, purpose, row.askedBy),
      this.#store.codes.newest(account.id, purpose),
    ]
    if (!still.some((one) => one?.hash === row.hash)) throw notThis()
    this.#store.codes.remove(account.id, purpose)
  }

  /** Counts a try before anything is compared, for every email, with an account or without: the answer tells nothing. */
  async #countTry(purpose: CodePurpose, asker: ClientIdentity): Promise<void> {
    const { accountId, addressHash, email, group } = asker
    const key = countedBy(purpose, asker)
    const asked =
      (await this.#limiter.has('codePerAsker', key)) || this.#store.codes.of(accountId, purpose, addressHash)
    if (asked) {
      if (!(await this.#limiter.tryOne('codePerAsker', key))) throw usedUp()
      return
    }
    await this.#limiter.take('account.too-many-tries', 'codes-tried', ['codePerAddress', group])
    if (!(await this.#limiter.tryOne('codePerEmail', `${purpose}:${email}`))) throw usedUp()
  }

  /** One that would be good for longer than any was made when the clock was ahead. */
  #isGood({ expiresAt }: CodeRow): boolean {
    const left = expiresAt - this.#clock.now()
    return left > 0 && left <= CODE_MS
  }

  /** Compares, and takes a try where it is wrong. Awaits nothing. */
  #compare(purpose: CodePurpose, code: string, asker: ClientIdentity): RightCode | Refusal {
    const account = this.#store.accounts.byId(asker.accountId)
    const own = this.#store.codes.of(asker.accountId, purpose, asker.addressHash)
    const newest = this.#store.codes.newest(asker.accountId, purpose)
    const fits = (row: CodeRow | null) => sameSecret(hashCode(code, row?.salt ?? ''), row?.hash ?? '')
    // Both are compared, whatever the first one says: how long it takes tells nothing either.
    const [isOwn, isNewest] = [fits(own), fits(newest)]
    const row = isOwn ? own : isNewest ? newest : null
    if (!account || !row || own?.triesLeft === 0) {
      this.#store.codes.useTry(asker.accountId, purpose, asker.addressHash)
      return notThis()
    }
    return this.#isGood(row) ? { account, purpose, row } : expired()
  }
}

const countedBy = (purpose: CodePurpose, { email, group }: ClientIdentity) => `${purpose}:${email} ${group}`

const notThis = () => refusal(422, 'account.code-wrong').at('code')
const expired = () => refusal(422, 'account.code-expired', { minutes: CODE_MINUTES }).at('code')
const usedUp = () => refusal(422, 'account.code-used-up').at('code')
