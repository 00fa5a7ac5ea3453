import { describe, expect, test } from 'vitest'
import { codeIn, HeldPasswords, openAccounts, statusOf } from './accounts.fixture.ts'
import type { Mail } from '../mail/mail.ts'
import { hashSecret } from '../secrets.ts'

const email = 'ann@example.org'
const here = '192.0.2.1'
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
    tokenHash: hashSecret(token),
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
    expect((await done(signIn('of the owner'))).user?.email).toBe(email)
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
    expect((await done(signIn(winner))).user?.email).toBe(email)
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
    expect((await done(signIn('the first password'))).user?.email).toBe(email)
  })

  test('a code that was asked for anew while the old one was being used sets no password', async () => {
    const { accounts, passwords, done, signIn, askCode } = await signedIn()
    const old = await askCode()
    const reset = statusOf(accounts.reset(email, old, 'the second password', here))
    await passwords.settled()
    await askCode()
    passwords.release(0)
    expect(await reset).toBe(422)
    expect((await done(signIn('the first password'))).user?.email).toBe(email)
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

  test('an account that is forgotten while it is registered again is there afterwards, and its code is good', async () => {
    const mails: Mail[] = []
    const passwords = new HeldPasswords()
    const opened = await openAccounts(passwords, undefined, (mail) => void mails.push(mail))
    const { accounts, store, clock } = opened
    const run = async <T>(work: Promise<T>): Promise<T> => {
      void work.catch(() => undefined)
      for (await passwords.settled(); passwords.held > 0; await passwords.settled()) passwords.release(0)
      return work
    }
    const register = (to: string) =>
      accounts.register({ name: 'Ben', email: to, password: 'a password' }, here)
    await run(register('ben@example.org'))
    clock.forward(25 * 60 * 60 * 1000)
    const again = register('ben@example.org')
    await passwords.settled()
    // Somebody else registers meanwhile, and what nobody confirmed within a day is forgotten.
    store.accounts.forgetUnconfirmed(clock.now())
    await run(again)
    await accounts.settled()
    expect(store.accounts.byEmail('ben@example.org')).not.toBeNull()
    const code = /\b\d{6}\b/.exec(mails.at(-1)?.subject ?? '')?.[0] ?? ''
    expect((await accounts.confirm('ben@example.org', code, here)).user?.email).toBe('ben@example.org')
    expect(mails.at(-1)?.text).toContain('set a new one')
  })

  test('an account that is registered again after a day is not forgotten before its code could be entered', async () => {
    const { accounts, store, clock, done } = await signedIn()
    const to = 'ben@example.org'
    const register = () => accounts.register({ name: 'Ben', email: to, password: 'a password' }, here)
    await done(register())
    clock.forward(25 * 60 * 60 * 1000)
    await done(register())
    store.accounts.forgetUnconfirmed(clock.now())
    expect(store.accounts.byEmail(to)).not.toBeNull()
  })
})
