import type { SecondFactor, SecondFactorSecret } from '../../../contract/areas/second-factor.ts'
import { SECOND_FACTOR_ASKED, SECOND_FACTOR_WRONG } from '../../../contract/rules/sign-in.ts'
import { isoTime } from '../../base/clock.ts'
import { refusal, type Refusal } from '../../../host/refusal.ts'
import { signedOut, type Caller } from '../../http/serve.ts'
import type { AccountsOptions } from './accounts.ts'
import type { SecondFactorsTable } from '../../store/second-factors.ts'
import type { ClientIdentity } from './sign-in/client-identity.ts'
import type { Count } from '../../http/limits/limiter.ts'
import { secondFactorMail } from './sign-in/mails.ts'
import type { OwnerMails } from './owner-mails.ts'
import { provePassword } from './sign-in/prove-password.ts'
import { counterOf, hashRecoveryCode, isUsed, newRecoveryCodes, newSecret, readCode, uriOf } from './totp.ts'

/** Unconfirmed secrets expire after this many ms. */
const BEGUN_MS = 15 * 60 * 1000

/**
 * App codes (RFC 6238) and recovery codes. A code is checked and used up in the step it authorizes, and its try is
 * counted before, so that parallel requests neither exceed the limit nor reuse a code.
 */
export class SecondFactors {
  readonly #options: AccountsOptions
  readonly #tellOwner: OwnerMails
  readonly #table: SecondFactorsTable

  constructor(options: AccountsOptions, tellOwner: OwnerMails) {
    this.#options = options
    this.#tellOwner = tellOwner
    this.#table = options.store.secondFactors
  }

  isOn(accountId: string): boolean {
    return this.#turnedOnAt(accountId) !== null
  }

  state({ accountId }: Caller): SecondFactor {
    const turnedOnAt = this.#turnedOnAt(accountId)
    if (turnedOnAt === null) return { enabled: false }
    const recoveryCodesLeft = this.#table.recoveryCodesLeft(accountId)
    return { enabled: true, since: isoTime(turnedOnAt), recoveryCodesLeft }
  }

  /** Call after the password was verified; `work` must call `useAtSignIn`. */
  async signIn<T>(who: ClientIdentity, code: string | undefined, work: () => T): Promise<T> {
    if (code === undefined) return work()
    // Recovery codes cannot be guessed, so they work even when the tries are used up.
    if (readCode(code)?.kind === 'recovery') return work()
    return this.#counted(
      [
        ['secondFactorPerPair', who.pair],
        who.known ? ['secondFactorKnownDaily', who.pair] : ['secondFactorPerAccount', who.accountId],
      ],
      work,
    )
  }

  /** Uses up the code if the account has a second factor. Synchronous. */
  useAtSignIn(accountId: string, code: string | undefined): void {
    this.#use(accountId, code, askedAtSignIn)
  }

  ask(caller: Caller, code: string | undefined): Promise<void> {
    return this.during(caller, code, (useCode) => this.#options.store.inOneStep(useCode))
  }

  /** For signed-in callers: `work` calls the given function in its own step to use up the code. */
  async during<T>(
    { accountId, tokenHash }: Caller,
    code: string | undefined,
    work: (useCode: () => void) => T | Promise<T>,
  ): Promise<T> {
    const useCode = () => this.#use(accountId, code, askedInCall)
    if (code !== undefined) return this.#counted([['secondFactorPerToken', tokenHash]], () => work(useCode))
    // Ask for the code before checking other input, so nobody types things twice.
    if (this.isOn(accountId)) throw askedInCall()
    return work(useCode)
  }

  /** Not required anywhere until confirmed with a code. */
  async begin(caller: Caller, password: string): Promise<SecondFactorSecret> {
    const { store, clock } = this.#options
    const proven = await provePassword(this.#options, caller, password)
    const secret = newSecret()
    store.inOneStep(() => {
      proven.stillHolds()
      if (!this.#table.begin(caller.accountId, secret, clock.now())) throw isOnAlready()
    })
    return { secret, uri: uriOf(secret, proven.account.email) }
  }

  async turnOn({ accountId, tokenHash }: Caller, code: string): Promise<{ recoveryCodes: string[] }> {
    const { store, clock } = this.#options
    const recoveryCodes = newRecoveryCodes()
    const turnOn = () => {
      const now = clock.now()
      if (store.accounts.tokenOwner(tokenHash, now) !== accountId) throw signedOut()
      if (this.isOn(accountId)) throw isOnAlready()
      const age = now - (this.#table.of(accountId)?.begunAt ?? -Infinity)
      if (age < 0 || age >= BEGUN_MS) throw notBegun()
      if (!this.#take(accountId, code)) throw wrongCode()
      this.#table.turnOn(accountId, now, recoveryCodes.map(hashRecoveryCode))
      return { recoveryCodes }
    }
    const turnedOn = await this.#counted([['secondFactorPerToken', tokenHash]], () => store.inOneStep(turnOn))
    this.#tell(accountId, true)
    return turnedOn
  }

  async turnOff(caller: Caller, password: string, code: string | undefined): Promise<void> {
    await this.during(caller, code, async (useCode) => {
      const proven = await provePassword(this.#options, caller, password)
      this.#options.store.inOneStep(() => {
        proven.stillHolds()
        useCode()
        this.#table.remove(caller.accountId)
      })
    })
    this.#tell(caller.accountId, false)
  }

  #tell(accountId: string, isOn: boolean): void {
    this.#tellOwner(accountId, 'secondFactorMails', (to, reader) => secondFactorMail(to, reader, isOn))
  }

  #turnedOnAt(accountId: string): number | null {
    return this.#table.of(accountId)?.turnedOnAt ?? null
  }

  #use(accountId: string, code: string | undefined, asked: () => Refusal): void {
    if (!this.isOn(accountId)) return
    if (code === undefined) throw asked()
    if (!this.#take(accountId, code)) throw wrongCode()
  }

  #take(accountId: string, typed: string): boolean {
    const read = readCode(typed)
    if (read?.kind === 'recovery') return this.#table.useRecoveryCode(accountId, hashRecoveryCode(read.code))
    const row = this.#table.of(accountId)
    const now = this.#options.clock.now()
    const counter = row && read ? counterOf(row.secret, read.code, now) : null
    if (!row || counter === null || isUsed(counter, row.lastCounter, now)) return false
    this.#table.took(accountId, counter)
    return true
  }

  /** Counts a try even without a second factor; gives it back unless the code was wrong. */
  async #counted<T>(counts: Count[], work: () => T | Promise<T>): Promise<T> {
    this.#options.limiter.take(...counts)
    return this.#options.limiter.guess(counts, SECOND_FACTOR_WRONG, work)
  }
}

const askedAtSignIn = () => refusal(401, SECOND_FACTOR_ASKED)
const askedInCall = () => refusal(403, SECOND_FACTOR_ASKED)
const wrongCode = () => refusal(422, SECOND_FACTOR_WRONG).at('code')
const isOnAlready = () => refusal(409, 'account.second-factor-on')
const notBegun = () => refusal(409, 'account.second-factor-not-begun')
