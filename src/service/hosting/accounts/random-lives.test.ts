import { expect, test } from 'vitest'
import { Chance } from '../../../../tests/faults/chance.ts'
import { Refusal } from '../../../host/refusal.ts'
import type { CodePurpose } from '../../store/codes.ts'
import { codeIn, HeldPasswords, openAccounts, statusOf } from './accounts.fixture.ts'
import type { Mail } from '../mail/mail.ts'
import { hashSecret } from '../secrets.ts'

/** What an account is after what was answered so far: the model that the real one is held against. */
class Model {
  exists = false
  confirmed = false
  password: string | null = null
  /** How often a password was set. */
  changes = 0
  readonly live = new Set<string>()
  /** The code that is good now. */
  readonly codes = new Map<CodePurpose, string>()

  setPassword(password: string | null): void {
    this.password = password
    this.changes += 1
  }
}

/** What held of the model when something began. */
interface PlannedAccount {
  password: string | null
  changes: number
}

const PASSWORDS = ['password number one', 'password number two', 'password number three']
const PEOPLE = ['ann@example.org', 'ben@example.org']
const HERE = '192.0.2.1'
const STEPS = 90

/** A random life of two accounts, whose every step is decided by a seed. */
class Life {
  readonly #chance: Chance
  readonly #passwords = new HeldPasswords()
  readonly #models = new Map(PEOPLE.map((to) => [to, new Model()]))
  readonly #known: { to: string; token: string }[] = []
  readonly #sent: { to: string; purpose: CodePurpose; code: string }[] = []
  readonly #failures: unknown[] = []
  readonly #story: string[] = []
  #running = 0
  #opened!: Awaited<ReturnType<typeof openAccounts<HeldPasswords>>>

  constructor(seed: number) {
    this.#chance = new Chance(seed, 'accounts')
    this.#story.push(`seed ${seed}`)
  }

  /** Throws with what is not as it ought to be, and all that led to it. */
  async live(): Promise<void> {
    this.#opened = await openAccounts(this.#passwords, undefined, (mail) => this.#read(mail))
    const acts = [
      this.#signIn,
      this.#change,
      this.#reset,
      this.#forgot,
      this.#resend,
      this.#signOut,
      this.#register,
      this.#confirm,
    ]
    // What is done most is what can meet itself and the others.
    const often = [
      ...acts,
      this.#signIn,
      this.#change,
      this.#change,
      this.#change,
      this.#reset,
      this.#signOut,
    ]
    for (let step = 0; step < STEPS || this.#passwords.held > 0; step++) {
      const { held } = this.#passwords
      if (step < STEPS && (held === 0 || (held < 5 && this.#chance.next() < 0.5)))
        this.#chance.pick(often).call(this, this.#chance.pick(PEOPLE))
      else this.#passwords.release(this.#chance.between(0, held - 1))
      await this.#passwords.settled()
      if (this.#failures.length > 0) throw this.#failures[0]
      this.#compareTokens()
    }
    this.#ought(this.#running === 0, 'something never ended')
    await this.#comparePasswords()
  }

  #compareTokens(): void {
    for (const { to, token } of this.#known) {
      const [lives, ought] = [
        this.#opened.accounts.authenticate(token) !== null,
        this.#model(to).live.has(token),
      ]
      this.#ought(lives === ought, `a token of ${to} lives: ${lives}, and should: ${ought}`)
    }
  }

  /** Every change that was told has happened: the password is the one of the model, and no other. */
  async #comparePasswords(): Promise<void> {
    for (const [to, { password, confirmed }] of this.#models)
      for (const tried of PASSWORDS) {
        const status = statusOf(this.#opened.accounts.signIn(to, tried, HERE))
        await this.#passwords.settled()
        this.#passwords.release(0)
        const wanted = password !== tried ? 401 : confirmed ? 204 : 403
        this.#ought((await status) === wanted, `“${tried}” of ${to} should be answered ${wanted}`)
      }
  }

  #signIn(to: string): void {
    const password = this.#password(to)
    const work = () => this.#opened.accounts.signIn(to, password, HERE)
    this.#begin(`${to} signs in with ${password}`, to, work, (session, status, begun) => {
      const model = this.#model(to)
      if (session) {
        this.#ought(model.password === password && model.confirmed, 'signed in with what is not the password')
        this.#live(to, session.token)
      } else if (begun.changes === model.changes && begun.password === password)
        this.#ought(status === 403 && !model.confirmed, 'the right password was refused')
    })
  }

  #change(to: string): void {
    const living = this.#known.filter((one) => one.to === to && this.#model(to).live.has(one.token))
    if (living.length === 0) return
    const { token } = this.#chance.pick(living)
    const caller = {
      accountId: this.#opened.store.accounts.byEmail(to)?.id ?? '',
      tokenHash: hashSecret(token),
    }
    const [current, next] = [this.#password(to), this.#chance.pick(PASSWORDS)]
    const work = () => this.#opened.accounts.updatePassword(caller, current, next).then(() => true)
    this.#begin(`${to} changes ${current} to ${next}`, to, work, (done, _status, begun) => {
      const model = this.#model(to)
      const isSame = begun.changes === model.changes && begun.password === current
      if (!done) return this.#ought(!(isSame && model.live.has(token)), 'a right change was refused')
      this.#ought(model.live.has(token), 'a dead token changed the password')
      this.#ought(isSame, 'the password was changed from one that it no longer was')
      model.setPassword(next)
      model.live.clear()
      model.live.add(token)
    })
  }

  #reset(to: string): void {
    const code = this.#code(to, 'reset')
    if (code === null) return
    const next = this.#chance.pick(PASSWORDS)
    const work = () => this.#opened.accounts.reset(to, code, next, HERE).then(() => true)
    this.#begin(`${to} resets to ${next} with ${code}`, to, work, (done) => {
      if (!done) return
      const model = this.#use(to, 'reset', code)
      model.setPassword(next)
      model.live.clear()
    })
  }

  #confirm(to: string): void {
    const code = this.#code(to, 'confirm')
    if (code === null) return
    const work = () => this.#opened.accounts.confirm(to, code, HERE)
    this.#begin(`${to} confirms with ${code}`, to, work, (session) => {
      if (!session) return
      this.#use(to, 'confirm', code)
      this.#live(to, session.token)
    })
  }

  #register(to: string): void {
    const password = this.#chance.pick(PASSWORDS)
    const work = () => this.#opened.accounts.register({ name: 'Name', email: to, password }, HERE)
    this.#begin(`${to} registers with ${password}`, to, work, (user) => {
      this.#ought(user !== null, 'a registration was refused')
      const model = this.#model(to)
      const isNone = (this.#opened.store.accounts.byEmail(to)?.passwordHash ?? null) === null
      if (!model.exists) model.setPassword(password)
      // That it is the same cannot always be known; that another one stays must not be.
      else if (!model.confirmed && (model.password !== password || isNone)) model.setPassword(null)
      this.#ought(
        !(model.password === null && !isNone),
        'a password stayed that another registration did not give',
      )
      model.exists = true
    })
  }

  #signOut(to: string): void {
    const mine = this.#known.filter((one) => one.to === to)
    if (mine.length === 0) return
    const { token } = this.#chance.pick(mine)
    this.#story.push(`${to} signs out`)
    this.#opened.accounts.signOut({ accountId: '', tokenHash: hashSecret(token) })
    this.#model(to).live.delete(token)
  }

  #forgot(to: string): void {
    this.#begin(
      `${to} asks for a reset`,
      to,
      () => this.#opened.accounts.forgot(to, HERE),
      () => {},
    )
  }

  #resend(to: string): void {
    this.#begin(
      `${to} asks to confirm`,
      to,
      () => this.#opened.accounts.resend(to, HERE),
      () => {},
    )
  }

  #begin<T>(
    what: string,
    to: string,
    work: () => Promise<T>,
    done: (value: T | null, status: number, begun: PlannedAccount) => void,
  ): void {
    const { password, changes } = this.#model(to)
    this.#story.push(`begins: ${what}`)
    this.#running += 1
    const end = (value: T | null, status: number) => {
      this.#running -= 1
      this.#story.push(`ends with ${status}: ${what}`)
      done(value, status, { password, changes })
    }
    work()
      .then(
        (value) => end(value, 200),
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          end(null, error.status)
        },
      )
      .catch((error: unknown) => this.#failures.push(error))
  }

  #model(to: string): Model {
    return this.#models.get(to) ?? new Model()
  }

  #live(to: string, token: string): void {
    this.#model(to).live.add(token)
    this.#known.push({ to, token })
  }

  #use(to: string, purpose: CodePurpose, code: string): Model {
    const model = this.#model(to)
    this.#ought(model.codes.get(purpose) === code, 'a code that was used, or is not the newest, was taken')
    model.codes.delete(purpose)
    model.confirmed = true
    return model
  }

  /** Mostly what is right, so that much comes as far as being written. */
  #password(to: string): string {
    const { password } = this.#model(to)
    return password !== null && this.#chance.next() < 0.8 ? password : this.#chance.pick(PASSWORDS)
  }

  #code(to: string, purpose: CodePurpose): string | null {
    const codes = this.#sent.filter((one) => one.to === to && one.purpose === purpose)
    const newest = codes.at(-1)
    if (!newest) return null
    return (this.#chance.next() < 0.8 ? newest : this.#chance.pick(codes)).code
  }

  #read(mail: Mail): void {
    const code = codeIn(mail)
    if (!code) return
    const purpose = mail.subject.includes('password') ? 'reset' : 'confirm'
    this.#model(mail.to).codes.set(purpose, code)
    this.#sent.push({ to: mail.to, purpose, code })
  }

  #ought(holds: boolean, otherwise: string): void {
    if (!holds) throw new Error([otherwise, ...this.#story].join('\n'))
  }
}

test('whatever meets whatever, the tokens that ought to live do, and every change that was told has happened', async () => {
  for (let seed = 1; seed <= 60; seed++) await expect(new Life(seed).live()).resolves.toBeUndefined()
})
