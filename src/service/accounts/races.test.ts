import { describe, expect, test } from 'vitest'
import { Chance } from '../../../tests/faults/chance.ts'
import { Refusal } from '../refusal.ts'
import { codeIn, HeldPasswords, openAccounts } from './accounts.fixture.ts'
import { hashToken } from './secrets.ts'

const email = 'ann@example.org'
const here = '192.0.2.1'
const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 204,
    (error: unknown) => {
      if (error instanceof Refusal) return error.status
      throw error
    },
  )

/** An account with a password, whose owner is signed in; everything that takes a password is held from then on. */
async function signedIn() {
  const codes: string[] = []
  const passwords = new HeldPasswords()
  const opened = await openAccounts(passwords, undefined, (mail) => codes.push(codeIn(mail)))
  const { accounts } = opened
  const done = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => {})
    await passwords.settled()
    while (passwords.held > 0) {
      passwords.release(0)
      await passwords.settled()
    }
    return work
  }
  await done(accounts.create({ name: 'Ann', email, password: 'the first password' }))
  const signIn = (password: string) => accounts.signIn(email, password, here)
  const callerOf = (token: string) => ({
    accountId: accounts.authenticate(token)?.accountId ?? '',
    tokenHash: hashToken(token),
  })
  const lives = (token: string) => accounts.authenticate(token) !== null
  const askCode = async () => {
    await accounts.forgot(email, here)
    await accounts.settled()
    return codes.at(-1) ?? ''
  }
  return { ...opened, done, signIn, callerOf, lives, askCode, passwords }
}

describe('what was checked before a password was worked through is checked again when it is written', () => {
  test('a sign-in with the old password does not outlive the change', async () => {
    const { accounts, passwords, done, signIn, callerOf, lives } = await signedIn()
    const { token } = await done(signIn('the first password'))
    const late = signIn('the first password').then(
      (session) => session.token,
      (error: unknown) => error,
    )
    await passwords.settled()
    const change = accounts.updatePassword(callerOf(token), 'the first password', 'the second password')
    await passwords.settled()
    // The sign-in has been found right and stands just before its token; the change goes first.
    passwords.release(1)
    await passwords.settled()
    passwords.release(1)
    await change
    passwords.release(0)
    const ended = await late
    expect(typeof ended === 'string' && lives(ended), 'the sign-in with the old password lives').toBe(false)
    expect(ended).toMatchObject({ status: 409, code: 'account.password-changed' })
  })

  test("a thief's change does not win over the owner's reset", async () => {
    const { accounts, passwords, done, signIn, callerOf, lives, askCode } = await signedIn()
    const { token } = await done(signIn('the first password'))
    const code = await askCode()
    const theft = statusOf(accounts.updatePassword(callerOf(token), 'the first password', 'of the thief'))
    await passwords.settled()
    passwords.release(0)
    await passwords.settled()
    const reset = statusOf(accounts.reset(email, code, 'of the owner', here))
    await passwords.settled()
    passwords.release(1)
    expect(await reset).toBe(204)
    passwords.release(0)
    expect(await theft).toBe(401)
    expect(lives(token)).toBe(false)
    expect((await done(signIn('of the owner'))).user.email).toBe(email)
  })

  test('two at once with one code: one is told that it worked, and that one has', async () => {
    const { accounts, passwords, done, signIn, askCode } = await signedIn()
    const code = await askCode()
    const both = ['of the first', 'of the second'].map((password) =>
      statusOf(accounts.reset(email, code, password, here)),
    )
    await passwords.settled()
    while (passwords.held > 0) {
      passwords.release(passwords.held - 1)
      await passwords.settled()
    }
    const statuses = await Promise.all(both)
    expect([...statuses].sort()).toEqual([204, 422])
    const winner = statuses[0] === 204 ? 'of the first' : 'of the second'
    expect((await done(signIn(winner))).user.email).toBe(email)
  })

  test('a token that was signed out while it changed the password changes nothing', async () => {
    const { accounts, passwords, done, signIn, callerOf } = await signedIn()
    const { token } = await done(signIn('the first password'))
    const caller = callerOf(token)
    const change = statusOf(accounts.updatePassword(caller, 'the first password', 'the second password'))
    await passwords.settled()
    accounts.signOut(caller)
    while (passwords.held > 0) {
      passwords.release(0)
      await passwords.settled()
    }
    expect(await change).toBe(401)
    expect((await done(signIn('the first password'))).user.email).toBe(email)
  })

  test('a code that was asked for anew while the old one was being used sets no password', async () => {
    const { accounts, passwords, done, signIn, askCode } = await signedIn()
    const old = await askCode()
    const reset = statusOf(accounts.reset(email, old, 'the second password', here))
    await passwords.settled()
    await askCode()
    passwords.release(0)
    expect(await reset).toBe(422)
    expect((await done(signIn('the first password'))).user.email).toBe(email)
  })

  test("one password registered twice at once keeps nobody else's", async () => {
    const { accounts, passwords, store, done } = await signedIn()
    const to = 'ben@example.org'
    const register = (password: string) => accounts.register({ name: 'Ben', email: to, password }, here)
    await done(Promise.all([register('of the stranger'), register('of the owner')]))
    await accounts.settled()
    await passwords.settled()
    expect(store.accounts.byEmail(to)?.passwordHash).toBeNull()
  })
})

/** What an account is after what was answered so far: the model that the real one is held against. */
interface Model {
  password: string | null
  confirmed: boolean
  exists: boolean
  live: Set<string>
  /** Purpose → the code that is good now. */
  codes: Map<'confirm' | 'reset', string>
}

/** Something under way, with what of the model held during all of it. */
interface UnderWay {
  /** Password the account had all the while; null where it changed. */
  samePassword: string | null
  /** Whether the token it uses has lived all the while. */
  tokenLived: boolean
}

const PASSWORDS = ['password number one', 'password number two', 'password number three']
const PEOPLE = [email, 'ben@example.org']

/** One random life of two accounts; throws with what is not as it ought to be. */
async function live(seed: number): Promise<void> {
  const chance = new Chance(seed, 'accounts')
  const passwords = new HeldPasswords()
  const models = new Map<string, Model>()
  for (const to of PEOPLE)
    models.set(to, { password: null, confirmed: false, exists: false, live: new Set(), codes: new Map() })
  const modelOf = (to: string) => models.get(to) as Model
  const known: { to: string; token: string }[] = []
  const sent: { to: string; purpose: 'confirm' | 'reset'; code: string }[] = []
  const running = new Map<UnderWay, { to: string; token: string | null }>()
  const story: string[] = []

  const { accounts, store } = await openAccounts(passwords, undefined, (mail) => {
    const code = codeIn(mail)
    if (!code) return
    const purpose = mail.subject.includes('password') ? 'reset' : 'confirm'
    modelOf(mail.to).codes.set(purpose, code)
    sent.push({ to: mail.to, purpose, code })
  })
  const ought = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`seed ${seed}: ${what}\n${story.join('\n')}`)
  }
  /** Everything under way learns that the model of this account has changed. */
  const changed = (to: string) => {
    for (const [one, of] of running) {
      if (of.to !== to) continue
      if (modelOf(to).password !== one.samePassword) one.samePassword = null
      if (of.token !== null && !modelOf(to).live.has(of.token)) one.tokenLived = false
    }
  }
  function begin<T>(
    what: string,
    to: string,
    token: string | null,
    work: () => Promise<T>,
    done: (value: T | null, status: number, was: UnderWay) => void,
  ): void {
    const was = {
      samePassword: modelOf(to).password,
      tokenLived: token !== null && modelOf(to).live.has(token),
    }
    running.set(was, { to, token })
    story.push(`begins: ${what}`)
    const end = (value: T | null, status: number) => {
      running.delete(was)
      story.push(`ends with ${status}: ${what}`)
      done(value, status, was)
      changed(to)
    }
    void work()
      .then(
        (value) => end(value, 200),
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          end(null, error.status)
        },
      )
      .catch((error: unknown) => failures.push(error))
  }
  const failures: unknown[] = []

  const acts: Record<string, (to: string) => void> = {
    signIn(to) {
      const password = chance.pick(PASSWORDS)
      begin(
        `${to} signs in with ${password}`,
        to,
        null,
        () => accounts.signIn(to, password, here),
        (session, status, was) => {
          const model = modelOf(to)
          if (session) {
            ought(
              model.password === password && model.confirmed,
              'signed in with a password that is not the one',
            )
            model.live.add(session.token)
            known.push({ to, token: session.token })
          } else if (was.samePassword === password) {
            ought(
              (status === 403 && !model.confirmed) || status === 409,
              `the right password was refused with ${status}`,
            )
          }
        },
      )
    },
    change(to) {
      const mine = known.filter((one) => one.to === to)
      if (mine.length === 0) return
      const { token } = chance.pick(mine)
      const caller = { accountId: store.accounts.byEmail(to)?.id ?? '', tokenHash: hashToken(token) }
      // The route has looked at the token before it comes here.
      if (!modelOf(to).live.has(token)) return
      const [current, next] = [chance.pick(PASSWORDS), chance.pick(PASSWORDS)]
      begin(
        `${to} changes ${current} to ${next}`,
        to,
        token,
        () => accounts.updatePassword(caller, current, next).then(() => true),
        (ok, status, was) => {
          const model = modelOf(to)
          if (ok) {
            ought(model.live.has(token), 'a dead token changed the password')
            ought(model.password === current, 'the password was changed from one that it no longer was')
            model.password = next
            model.live = new Set([token])
          } else
            ought(
              !(was.tokenLived && was.samePassword === current),
              `a right change was refused with ${status}`,
            )
        },
      )
    },
    forgot(to) {
      begin(
        `${to} asks for a reset`,
        to,
        null,
        () => accounts.forgot(to, here),
        () => {},
      )
    },
    resend(to) {
      begin(
        `${to} asks to confirm`,
        to,
        null,
        () => accounts.resend(to, here),
        () => {},
      )
    },
    reset(to) {
      const codes = sent.filter((one) => one.to === to && one.purpose === 'reset')
      if (codes.length === 0) return
      const { code } = chance.pick(codes)
      const next = chance.pick(PASSWORDS)
      begin(
        `${to} resets to ${next} with ${code}`,
        to,
        null,
        () => accounts.reset(to, code, next, here).then(() => true),
        (ok) => {
          const model = modelOf(to)
          if (!ok) return
          ought(
            model.codes.get('reset') === code,
            'a code that is not the newest, or was used, reset the password',
          )
          model.codes.delete('reset')
          model.password = next
          model.confirmed = true
          model.live.clear()
        },
      )
    },
    signOut(to) {
      const mine = known.filter((one) => one.to === to)
      if (mine.length === 0) return
      const { token } = chance.pick(mine)
      story.push(`${to} signs out`)
      accounts.signOut({ accountId: '', tokenHash: hashToken(token) })
      modelOf(to).live.delete(token)
      changed(to)
    },
    register(to) {
      const password = chance.pick(PASSWORDS)
      begin(
        `${to} registers with ${password}`,
        to,
        null,
        () => accounts.register({ name: 'Name', email: to, password }, here),
        (user) => {
          ought(user !== null, 'a registration was refused')
          const model = modelOf(to)
          if (model.confirmed) return
          if (!model.exists) model.password = password
          // That it is the same cannot always be known; that another one stays must not be.
          else if (model.password !== password || store.accounts.byEmail(to)?.passwordHash === null)
            model.password = null
          model.exists = true
        },
      )
    },
    confirm(to) {
      const codes = sent.filter((one) => one.to === to && one.purpose === 'confirm')
      if (codes.length === 0) return
      const { code } = chance.pick(codes)
      begin(
        `${to} confirms with ${code}`,
        to,
        null,
        () => accounts.confirm(to, code, here),
        (session) => {
          const model = modelOf(to)
          if (!session) return
          ought(model.codes.get('confirm') === code, 'a code that is not the newest, or was used, confirmed')
          model.codes.delete('confirm')
          model.confirmed = true
          model.live.add(session.token)
          known.push({ to, token: session.token })
        },
      )
    },
  }

  for (let step = 0; step < 60 || passwords.held > 0; step++) {
    if (step < 60 && (passwords.held === 0 || (passwords.held < 5 && chance.next() < 0.5)))
      acts[chance.pick(Object.keys(acts))]?.(chance.pick(PEOPLE))
    else passwords.release(chance.between(0, passwords.held - 1))
    await passwords.settled()
    if (failures.length > 0) throw failures[0]
    for (const { to, token } of known)
      ought(
        (accounts.authenticate(token) !== null) === modelOf(to).live.has(token),
        `a token of ${to} should ${modelOf(to).live.has(token) ? '' : 'not '}live`,
      )
    for (const [to, model] of models)
      ought(
        (store.accounts.byEmail(to)?.passwordHash ?? null) === null || model.password !== null,
        `${to} has a password that nobody was told of`,
      )
  }
  ought(running.size === 0, 'something never ended')
  // Every change that was told has happened: the password is the one of the model, and no other.
  for (const to of PEOPLE)
    for (const password of PASSWORDS) {
      const fits = statusOf(accounts.signIn(to, password, here))
      await passwords.settled()
      passwords.release(0)
      const { password: wanted, confirmed } = modelOf(to)
      ought(
        (await fits) === (wanted !== password ? 401 : confirmed ? 204 : 403),
        `${password} of ${to}: not as told`,
      )
    }
}

test('whatever meets whatever, the tokens that ought to live do, and every change that was told has happened', async () => {
  for (let seed = 1; seed <= 60; seed++) await live(seed)
})
