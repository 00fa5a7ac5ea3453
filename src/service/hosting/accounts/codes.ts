import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { CodePurpose, CodeRow } from '../../store/codes.ts'
import type { Store } from '../../store/store.ts'
import type { ClientIdentity } from './sign-in/client-identity.ts'
import type { Limiter } from '../../http/limits/limiter.ts'
import { CODE_MINUTES } from './sign-in/mails.ts'
import type { Mail, Outbox } from '../mail/mail.ts'
import { sameSecret } from '../secrets.ts'

const CODE_MS = CODE_MINUTES * 60 * 1000
const CODE_TRIES = 5

interface CodesOptions {
  store: Pick<Store, 'accounts' | 'codes' | 'inOneStep'>
  clock: Clock
  limiter: Limiter
  outbox: Outbox
}

export interface RightCode {
  account: AccountRow
  purpose: CodePurpose
  row: CodeRow
}

/**
 * Codes by mail. Each belongs to the requesting address, so others can neither void it nor use up its tries. The
 * newest code can also be entered elsewhere, within the tries strangers have.
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

  /** Sends a code to the requester. Without an account, does the same work so that timing reveals nothing. */
  async send(
    account: AccountRow | null,
    purpose: CodePurpose,
    asker: ClientIdentity,
    mail: (code: string) => Mail,
  ): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
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

  /** Counts a requested mail and resets the requester's tries. Refuses with 429; rejects if no mail can be written. */
  async takeMail(purpose: CodePurpose, asker: ClientIdentity): Promise<void> {
    const { group, pair } = asker
    if (asker.known) this.#limiter.take(['mailKnown', pair], ['mailKnownDaily', pair])
    else {
      this.#limiter.take(['mailPerAddress', group], ['mailPerPair', pair], ['mailPerPairDaily', pair])
      this.#takeOfAll(asker)
    }
    // The answer comes before the mail and must be the same either way, so check first that mail can be written.
    await this.#outbox.ready()
    this.#limiter.begin('codePerAsker', countedBy(purpose, asker))
  }

  /** Counts a mail against all strangers' total. First-time requesters have a reserve beyond that. */
  #takeOfAll({ email, pair }: ClientIdentity): void {
    const isFirst = this.#limiter.tryAll(['mailFirst', pair])
    if (this.#limiter.tryAll(['mailPerEmailDaily', email])) return
    if (!isFirst) return this.#limiter.take(['mailPerEmailDaily', email])
    try {
      this.#limiter.take(['mailReserve', email])
    } catch (error) {
      // Nothing was sent, so the next request is still the first.
      this.#limiter.giveBack(['mailFirst', pair])
      throw error
    }
  }

  /** Checks a code; follow up with `use`. Refuses with 422 or 429. */
  check(purpose: CodePurpose, code: string, asker: ClientIdentity): RightCode {
    this.#countTry(purpose, asker)
    const found = this.#store.inOneStep(() => this.#compare(purpose, code, asker))
    if (found instanceof Refusal) throw found
    this.#limiter.giveBack(['codePerAsker', countedBy(purpose, asker)])
    return found
  }

  /**
   * Uses up a code in the same step as its purpose. Refuses with 422 if it was used, replaced or expired since the
   * check.
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

  /** Counts a try before comparing, with or without an account, so the answer reveals nothing. */
  #countTry(purpose: CodePurpose, asker: ClientIdentity): void {
    const { accountId, addressHash, email, group } = asker
    const key = countedBy(purpose, asker)
    const asked =
      this.#limiter.has('codePerAsker', key) || this.#store.codes.of(accountId, purpose, addressHash)
    if (asked) {
      if (!this.#limiter.tryAll(['codePerAsker', key])) throw usedUp()
      return
    }
    this.#limiter.take(['codePerAddress', group])
    if (!this.#limiter.tryAll(['codePerEmail', `${purpose}:${email}`])) throw usedUp()
  }

  /** Rejects codes created while the clock was ahead. */
  #isGood({ expiresAt }: CodeRow): boolean {
    const left = expiresAt - this.#clock.now()
    return left > 0 && left <= CODE_MS
  }

  #compare(purpose: CodePurpose, code: string, asker: ClientIdentity): RightCode | Refusal {
    const account = this.#store.accounts.byId(asker.accountId)
    const own = this.#store.codes.of(asker.accountId, purpose, asker.addressHash)
    const newest = this.#store.codes.newest(asker.accountId, purpose)
    const fits = (row: CodeRow | null) => sameSecret(hashCode(code, row?.salt ?? ''), row?.hash ?? '')
    // Always compare both, for constant time.
    const [isOwn, isNewest] = [fits(own), fits(newest)]
    const row = isOwn ? own : isNewest ? newest : null
    if (!account || !row || own?.triesLeft === 0) {
      this.#store.codes.useTry(asker.accountId, purpose, asker.addressHash)
      return notThis()
    }
    return this.#isGood(row) ? { account, purpose, row } : expired()
  }
}

/** Hashing six digits only prevents casual reading; expiry and try limits protect the code. */
const hashCode = (code: string, salt: string): string =>
  createHash('sha256').update(`${salt}:${code}`).digest('base64url')

const countedBy = (purpose: CodePurpose, { email, group }: ClientIdentity) => `${purpose}:${email} ${group}`

const notThis = () => refusal(422, 'account.code-wrong').at('code')
const expired = () => refusal(422, 'account.code-expired', { minutes: CODE_MINUTES }).at('code')
const usedUp = () => refusal(422, 'account.code-used-up').at('code')
