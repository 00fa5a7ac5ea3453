import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../contract/areas/index.ts'
import { hashSecret } from '../secrets.ts'
import { heldClock, PASSWORD, startTestService, type TestService } from '../../service.fixture.ts'
import { codeIn, openAccounts } from './accounts.fixture.ts'
import type { LimitChanges } from '../../http/limits/limiter.ts'
import { LIMITS } from '../../http/limits/limits.ts'
import { createPasswords } from './sign-in/passwords.ts'
import { Refusal } from '../../../host/refusal.ts'

const email = 'ann@example.org'
const home = '192.0.2.1'
const STEP = 30_000

/** What an app shows that was given a secret. */
const appWith = (secret: string, clock: { now(): number }) => () =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() })
const wrongOf = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')

/** `ok`, or how it was refused. */
const said = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Refusal) return `${error.status} ${error.code}`
      throw error
    },
  )

/** An account that is signed in, with a second factor and an app for it; the code that turned it on is used. */
async function withSecondFactor(limits: LimitChanges = {}) {
  let mailed = ''
  const opened = await openAccounts(createPasswords({ log2N: 4, r: 8, p: 1 }), limits, (mail) => {
    mailed = codeIn(mail)
  })
  const { accounts, clock } = opened
  await accounts.create({ name: 'Ann', email, password: PASSWORD })
  const { token } = await accounts.signIn(email, PASSWORD, home)
  const callerOf = (of: string) => ({
    accountId: accounts.authenticate(of)?.accountId ?? '',
    tokenHash: hashSecret(of),
  })
  const caller = callerOf(token)
  const { secret, uri } = await accounts.secondFactors.begin(caller, PASSWORD)
  const code = appWith(secret, clock)
  const { recoveryCodes } = await accounts.secondFactors.turnOn(caller, code())
  return { ...opened, codeMailed: () => mailed, token, caller, callerOf, uri, code, recoveryCodes }
}

describe('the second factor at sign-in', () => {
  test('the right password alone gives no token, and a code of the app gives one', async () => {
    const { accounts, clock, code, uri } = await withSecondFactor()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Wheelhouse:ann%40example\.org\?/)
    expect(await said(accounts.signIn(email, PASSWORD, home))).toBe('401 auth.second-factor')
    expect(await said(accounts.signIn(email, PASSWORD, home, wrongOf(code())))).toBe(
      '422 auth.second-factor-wrong',
    )
    clock.forward(STEP)
    const pasted = code().replace(/^(...)/, ' $1 ')
    expect((await accounts.signIn(email, PASSWORD, home, pasted)).user?.email).toBe(email)
  })

  test('a wrong password is answered the same with a second factor and without, with a code and without', async () => {
    const { accounts, code, clock } = await withSecondFactor()
    await accounts.create({ name: 'Ben', email: 'ben@example.org', password: PASSWORD })
    clock.forward(STEP)
    const answers = []
    for (const to of [email, 'ben@example.org', 'nobody@example.org'])
      for (const one of [undefined, code(), '000000'])
        answers.push(await said(accounts.signIn(to, 'wrong wrong wrong', '198.51.100.7', one)))
    expect(new Set(answers)).toEqual(new Set(['401 account.wrong-credentials']))
    // None of those codes was used up, so its owner can.
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('ok')
  })

  test('a code works once, whoever sends it, also when two send it at the same time', async () => {
    const { accounts, clock, code } = await withSecondFactor()
    // The one that turned it on was used with that.
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('422 auth.second-factor-wrong')
    clock.forward(STEP)
    const two = await Promise.all(
      [home, '198.51.100.7'].map((at) => said(accounts.signIn(email, PASSWORD, at, code()))),
    )
    expect(two.sort()).toEqual(['422 auth.second-factor-wrong', 'ok'])
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('422 auth.second-factor-wrong')
  })

  test('a code of a step before one that was taken is not good any more', async () => {
    const { accounts, clock, code } = await withSecondFactor()
    clock.forward(STEP)
    const before = code()
    clock.forward(STEP)
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('ok')
    expect(await said(accounts.signIn(email, PASSWORD, home, before))).toBe('422 auth.second-factor-wrong')
  })

  test('clocks may differ by a step, and by no more', async () => {
    const { accounts, clock, code } = await withSecondFactor()
    clock.forward(10 * STEP)
    const shown = code()
    clock.forward(STEP)
    expect(await said(accounts.signIn(email, PASSWORD, home, shown))).toBe('ok')
    clock.forward(3 * STEP)
    const late = code()
    clock.forward(2 * STEP)
    expect(await said(accounts.signIn(email, PASSWORD, home, late))).toBe('422 auth.second-factor-wrong')
  })

  test('a clock that was ahead keeps nobody out afterwards', async () => {
    const { accounts, clock, code } = await withSecondFactor()
    clock.set(365 * 24 * 60 * 60_000)
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('ok')
    clock.set(-365 * 24 * 60 * 60_000 + STEP)
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('ok')
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('422 auth.second-factor-wrong')
  })

  test('a recovery code signs in once, in whatever form it was typed', async () => {
    const { accounts, caller, recoveryCodes, store } = await withSecondFactor()
    expect(recoveryCodes).toHaveLength(10)
    const [first = '', second = ''] = recoveryCodes
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')}`
    const two = await Promise.all([1, 2].map(() => said(accounts.signIn(email, PASSWORD, home, typed))))
    expect(two.sort()).toEqual(['422 auth.second-factor-wrong', 'ok'])
    expect(await said(accounts.signIn(email, PASSWORD, home, second))).toBe('ok')
    expect(accounts.secondFactors.state(caller)).toMatchObject({ enabled: true, recoveryCodesLeft: 8 })
    expect(JSON.stringify(store.secondFactors.of(caller.accountId))).not.toContain(first)
  })

  test('wrong codes are counted, by address and for all strange addresses together', async () => {
    const { accounts, clock, code, recoveryCodes } = await withSecondFactor()
    clock.forward(STEP)
    const answers: string[] = []
    for (let at = 0; at < 10; at++)
      for (let i = 0; i < 6; i++)
        answers.push(await said(accounts.signIn(email, PASSWORD, `198.51.${at}.7`, wrongOf(code()))))
    const wrong = answers.filter((one) => one === '422 auth.second-factor-wrong')
    expect(wrong).toHaveLength(LIMITS.secondFactorPerAccount.points)
    expect(answers.slice(0, 6).at(-1)).toBe('429 account.too-many-tries')
    // Its owner gets in: from home as ever, from elsewhere with a recovery code.
    expect(await said(accounts.signIn(email, PASSWORD, '203.0.113.5', code()))).toBe(
      '429 account.too-many-tries',
    )
    expect(await said(accounts.signIn(email, PASSWORD, '203.0.113.6', recoveryCodes[0]))).toBe('ok')
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toBe('ok')
  })

  test('a recovery code signs in from the same address after as many wrong codes as are counted', async () => {
    const { accounts, code, recoveryCodes } = await withSecondFactor()
    for (let tries = 0; tries < 40; tries++)
      await said(accounts.signIn(email, PASSWORD, home, wrongOf(code())))
    expect(await said(accounts.signIn(email, PASSWORD, home, code()))).toMatch(/^429/)
    expect(await said(accounts.signIn(email, PASSWORD, home, recoveryCodes[0]))).toBe('ok')
  })

  test('whoever reads the mail guesses as strangers do, wherever the password was reset from', async () => {
    const { accounts, code, codeMailed } = await withSecondFactor()
    const answers: string[] = []
    for (let at = 0; at < 8; at++) {
      const from = `198.51.${at}.7`
      await accounts.forgot(email, from)
      await accounts.settled()
      expect(await said(accounts.reset(email, codeMailed(), PASSWORD, from))).toBe('ok')
      for (let i = 0; i < 6; i++)
        answers.push(await said(accounts.signIn(email, PASSWORD, from, wrongOf(code()))))
    }
    const wrong = answers.filter((one) => one === '422 auth.second-factor-wrong')
    expect(wrong).toHaveLength(LIMITS.secondFactorPerAccount.points)
  })

  test('many wrong codes at once do not slip through', async () => {
    const { accounts, code } = await withSecondFactor()
    const all = Array.from({ length: 20 }, () =>
      said(accounts.signIn(email, PASSWORD, home, wrongOf(code()))),
    )
    const wrong = (await Promise.all(all)).filter((one) => one === '422 auth.second-factor-wrong')
    expect(wrong).toHaveLength(LIMITS.secondFactorPerPair.points)
  })
})

describe('turning the second factor on and off', () => {
  test('whoever has a token alone neither begins it nor turns it off', async () => {
    const { accounts, caller, clock, code } = await withSecondFactor()
    const { secondFactors } = accounts
    expect(await said(secondFactors.turnOff(caller, PASSWORD, undefined))).toBe('403 auth.second-factor')
    clock.forward(STEP)
    expect(await said(secondFactors.turnOff(caller, 'wrong wrong wrong', code()))).toBe(
      '422 account.wrong-password',
    )
    expect(await said(secondFactors.turnOff(caller, PASSWORD, wrongOf(code())))).toBe(
      '422 auth.second-factor-wrong',
    )
    expect(await said(secondFactors.begin(caller, PASSWORD))).toBe('409 account.second-factor-on')
    expect(await said(secondFactors.turnOff(caller, PASSWORD, code()))).toBe('ok')
    expect(secondFactors.state(caller)).toEqual({ enabled: false })
    expect(await said(secondFactors.begin(caller, 'wrong wrong wrong'))).toBe('422 account.wrong-password')
    expect(await said(accounts.signIn(email, PASSWORD, home))).toBe('ok')
  })

  test('what was begun is asked for nowhere, and ends after a quarter of an hour', async () => {
    const { accounts, caller, clock, code } = await withSecondFactor()
    const { secondFactors } = accounts
    clock.forward(STEP)
    await secondFactors.turnOff(caller, PASSWORD, code())
    const { secret } = await secondFactors.begin(caller, PASSWORD)
    const next = appWith(secret, clock)
    expect(secondFactors.state(caller)).toEqual({ enabled: false })
    expect(await said(accounts.signIn(email, PASSWORD, home))).toBe('ok')
    expect(await said(secondFactors.turnOn(caller, wrongOf(next())))).toBe('422 auth.second-factor-wrong')
    clock.forward(15 * 60_000)
    expect(await said(secondFactors.turnOn(caller, next()))).toBe('409 account.second-factor-not-begun')
    // An old secret is no longer good either.
    const { secret: newest } = await secondFactors.begin(caller, PASSWORD)
    expect(await said(secondFactors.turnOn(caller, next()))).toBe('422 auth.second-factor-wrong')
    expect(await said(secondFactors.turnOn(caller, appWith(newest, clock)()))).toBe('ok')
  })

  test('the password is changed with a code alone, and the new one signs in with one alone', async () => {
    const { accounts, clock, code, caller } = await withSecondFactor()
    clock.forward(STEP)
    expect(await said(accounts.updatePassword(caller, PASSWORD, 'another password'))).toBe(
      '403 auth.second-factor',
    )
    expect(await said(accounts.updatePassword(caller, PASSWORD, 'another password', code()))).toBe('ok')
    expect(await said(accounts.signIn(email, 'another password', home))).toBe('401 auth.second-factor')
  })

  test('guessing codes with a stolen token ends', async () => {
    const { accounts, caller, code } = await withSecondFactor()
    const answers = []
    for (let i = 0; i < 25; i++) answers.push(await said(accounts.secondFactors.ask(caller, wrongOf(code()))))
    expect(answers.filter((one) => one.startsWith('422'))).toHaveLength(20)
    expect(answers.at(-1)).toBe('429 account.too-many-tries')
  })
})

describe('over HTTP', () => {
  async function turnedOn({ call, account }: TestService, clock: { now(): number }) {
    const token = await account(email)
    const { body } = await call('POST /users/me/second-factor', {
      token,
      body: { currentPassword: PASSWORD },
    })
    const code = appWith(body.secret, clock)
    const on = await call('PUT /users/me/second-factor', { token, body: { code: code() } })
    expect(on.status).toBe(200)
    return { token, code, secret: String(body.secret), recoveryCodes: on.body.recoveryCodes as string[] }
  }

  test('every call that is declared to ask for a code asks for it, and does nothing without', async () => {
    const clock = heldClock()
    const service = await startTestService({ clock })
    const { call } = service
    const { token, code, recoveryCodes } = await turnedOn(service, clock)
    const made = await call('POST /servers', {
      token,
      body: { name: 'Mine', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
    })
    const bodies: Record<string, object | undefined> = {
      'account.update-password': { currentPassword: PASSWORD, newPassword: 'another password' },
      'account.turn-off-second-factor': { currentPassword: PASSWORD },
      'account.unlink-identity': { currentPassword: PASSWORD },
      'servers.reset': { keep: [] },
    }
    const asking = operations.filter((op) => op.secondFactor)
    expect(asking.map(({ id }) => id).sort()).toEqual([
      'account.turn-off-second-factor',
      'account.unlink-identity',
      'account.update-password',
      'servers.remove',
      'servers.reset',
    ])
    for (const { id, method, path } of asking) {
      const route = `${method} ${path.replace(':serverId', made.body.id)}${id === 'servers.remove' ? '?confirm=Mine' : ''}`
      const body = bodies[id]
      const send = (headers: Record<string, string> = {}) =>
        call(route, { token, headers, ...(body && { body }) })
      const without = await send()
      expect([id, without.status, without.body.error.code]).toEqual([id, 403, 'auth.second-factor'])
      const wrong = await send({ 'X-Second-Factor': wrongOf(code()) })
      expect([id, wrong.status, wrong.body.error.code]).toEqual([id, 422, 'auth.second-factor-wrong'])
    }
    expect((await call(`GET /servers/${made.body.id}`, { token })).status).toBe(200)
    // What is refused anyway uses no code up.
    const power = `POST /servers/power/${made.body.id}`
    await call(power, { token, body: { action: 'start' } })
    const running = { token, headers: { 'X-Second-Factor': recoveryCodes[0] ?? '' } }
    expect((await call(`DELETE /servers/${made.body.id}?confirm=Mine`, running)).body.error.code).toBe(
      'server.running',
    )
    expect((await call('GET /users/me/second-factor', { token })).body.recoveryCodesLeft).toBe(
      recoveryCodes.length,
    )
    await call(power, { token, body: { action: 'kill' } })
    await expect
      .poll(async () => (await call(`GET /servers/status/${made.body.id}`, { token })).body.status)
      .toMatch(/offline|crashed/)
    clock.forward(STEP)
    const headers = { 'X-Second-Factor': code() }
    const remove = `DELETE /servers/${made.body.id}`
    expect((await call(`${remove}?confirm=Other`, { token, headers })).body.error.code).toBe(
      'server.confirm-mismatch',
    )
    expect((await call(`${remove}?confirm=Mine`, { token, headers })).status).toBe(204)
  })

  test('a password that is set by mail is no way around it', async () => {
    const clock = heldClock()
    const service = await startTestService({ clock })
    const { call, code: mailed } = service
    const { code } = await turnedOn(service, clock)
    await call('POST /auth/password/forgot', { body: { email } })
    const body = { email, password: 'another password' }
    await call('POST /auth/password/reset', { body: { ...body, code: await mailed() } })
    const around = await call('POST /auth/login', { body })
    expect([around.status, around.body.error.code]).toEqual([401, 'auth.second-factor'])
    clock.forward(STEP)
    expect((await call('POST /auth/login', { body: { ...body, code: code() } })).status).toBe(200)
  })

  test('an older code for confirming the address is no way around it', async () => {
    const clock = heldClock()
    const service = await startTestService({ clock })
    const { call, code: mailed } = service
    await call('POST /auth/register', { body: { name: 'Ann', email, password: PASSWORD } })
    const confirming = await mailed()
    await call('POST /auth/password/forgot', { body: { email } })
    await call('POST /auth/password/reset', { body: { email, code: await mailed(), password: PASSWORD } })
    const { token } = (await call('POST /auth/login', { body: { email, password: PASSWORD } })).body
    const { body } = await call('POST /users/me/second-factor', {
      token,
      body: { currentPassword: PASSWORD },
    })
    await call('PUT /users/me/second-factor', { token, body: { code: appWith(body.secret, clock)() } })
    const around = await call('POST /auth/email/confirm', { body: { email, code: confirming } })
    expect([around.status, around.body.token]).toEqual([409, undefined])
  })
})
