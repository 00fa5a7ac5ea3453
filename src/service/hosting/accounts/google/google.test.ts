import { TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { heldClock, PASSWORD, startTestService } from '../../../service.fixture.ts'
import { begun, Browser, REDIRECT, startWithProvider } from './google.fixture.ts'
import { CODE_MS, PENDING_MS } from './pending.ts'

const ann = { email: 'Ann@example.com', name: 'Ann of the provider' }

describe('somebody new', () => {
  test('gets a confirmed account without a password, in which everything works', async () => {
    const at = await startWithProvider({ ann })
    const from = begun()
    const told = await at.through(new Browser(), from, 'ann')
    expect(told.get('state')).toBe(from.query.get('state'))
    expect([...told.keys()].sort()).toEqual(['code', 'state'])
    const { status, body } = await at.exchange(from, told.get('code'))
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: 'ann@example.com', emailConfirmed: true, name: ann.name })
    const { token } = body as { token: string }
    const { body: data } = await at.call('GET /users/me/export', { token })
    expect(data).toMatchObject({ hasPassword: false, signsInWith: [{ issuer: at.provider.issuer }] })
    expect(data.sessions).toHaveLength(1)
    const change = { currentPassword: 'none that there is', newPassword: 'a new long password' }
    const refused = await at.call('PATCH /users/password', { token, body: change })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'account.no-password' } } })
    await at.call('POST /auth/password/forgot', { body: { email: 'ann@example.com' } })
    const reset = { email: 'ann@example.com', code: await at.code(), password: PASSWORD }
    expect((await at.call('POST /auth/password/reset', { body: reset })).status).toBe(204)
    const byPassword = { email: 'ann@example.com', password: PASSWORD }
    expect((await at.call('POST /auth/login', { body: byPassword })).status).toBe(200)
    expect((await at.signIn('ann', { password: PASSWORD })).status).toBe(200)
    expect((await at.signIn('ann')).status).toBe(200)
  })

  test('is found again by who they are there, whatever their email is by then', async () => {
    const at = await startWithProvider({ ann })
    const first = await at.signIn('ann')
    at.provider.people.set('ann', { email: 'other@example.com', verified: false })
    const again = await at.signIn('ann')
    expect(again.body.user).toEqual(first.body.user)
  })

  test.for([
    [
      'whose email the provider has not verified',
      { email: 'ann@example.com', verified: false },
      'unverified',
    ],
    ['whose email it does not tell', {}, 'no-email'],
  ] as const)('is refused %s', async ([, person, code]) => {
    const at = await startWithProvider({ ann: person })
    expect(await at.signIn('ann')).toMatchObject({
      status: 403,
      body: { error: { code: `account.google-${code}` } },
    })
    expect((await at.call('POST /auth/password/forgot', { body: { email: ann.email } })).status).toBe(204)
  })

  test('is refused where the service takes no new accounts', async () => {
    const at = await startWithProvider({ ann }, { allowRegistration: false })
    expect(await at.signIn('ann')).toMatchObject({
      status: 403,
      body: { error: { code: 'account.registration-off' } },
    })
  })
})

describe('an email that has an account already', () => {
  test('is signed in to with its password once, and without it from then on', async () => {
    const at = await startWithProvider({ ann })
    await at.account('ann@example.com')
    const from = begun()
    const code = (await at.through(new Browser(), from, 'ann')).get('code')
    const asked = { status: 409, body: { error: { code: 'account.google-password' } } }
    expect(await at.exchange(from, code)).toMatchObject(asked)
    expect(await at.exchange(from, code, { password: 'a wrong password' })).toMatchObject({
      status: 401,
      body: { error: { code: 'account.wrong-credentials' } },
    })
    expect((await at.exchange(from, code, { password: PASSWORD })).status).toBe(200)
    expect((await at.exchange(from, code, { password: PASSWORD })).status).toBe(422)
    expect((await at.signIn('ann')).status).toBe(200)
    // Another identity with the same email is somebody else until the password is given.
    at.provider.people.set('another', ann)
    expect(await at.signIn('another')).toMatchObject(asked)
  })

  test('that nobody has confirmed is its reader’s: the password that a stranger chose is gone', async () => {
    const at = await startWithProvider({ ann })
    const stranger = { name: 'Mallory', email: 'ann@example.com', password: PASSWORD }
    await at.call('POST /auth/register', { body: stranger })
    const mailed = await at.code()
    const { status, body } = await at.signIn('ann')
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ name: ann.name, emailConfirmed: true })
    const { email, password } = stranger
    expect((await at.call('POST /auth/login', { body: { email, password } })).status).toBe(401)
    const { token } = body as { token: string }
    expect((await at.call('GET /users/me/export', { token })).body.hasPassword).toBe(false)
    const late = await at.call('POST /auth/email/confirm', { body: { email, code: mailed } })
    expect((await at.call('GET /users/me/export', { token })).body.hasPassword).toBe(false)
    expect(late.status).toBe(200)
  })

  test('is signed in to with its password again once that was set by mail: who was linked before may be somebody else', async () => {
    const at = await startWithProvider({ ann })
    expect((await at.signIn('ann')).status).toBe(200)
    await at.call('POST /auth/password/forgot', { body: { email: 'ann@example.com' } })
    const from = begun()
    const underWay = (await at.through(new Browser(), from, 'ann')).get('code')
    const reset = { email: 'ann@example.com', code: await at.code(), password: PASSWORD }
    expect((await at.call('POST /auth/password/reset', { body: reset })).status).toBe(204)
    const asked = { status: 409, body: { error: { code: 'account.google-password' } } }
    expect(await at.exchange(from, underWay)).toMatchObject(asked)
    expect(await at.signIn('ann')).toMatchObject(asked)
  })

  test('is asked for its second factor too, and a code of it is used up', async () => {
    const at = await startWithProvider({ ann })
    const token = await at.account('ann@example.com')
    expect((await at.signIn('ann', { password: PASSWORD })).status).toBe(200)
    const begin = await at.call('POST /users/me/second-factor', {
      token,
      body: { currentPassword: PASSWORD },
    })
    const totp = new TOTP({ secret: begin.body.secret as string })
    // The same one later, whatever the minute is then.
    const used = totp.generate()
    const on = await at.call('PUT /users/me/second-factor', { token, body: { code: used } })
    expect(on.status).toBe(200)
    const from = begun()
    const code = (await at.through(new Browser(), from, 'ann')).get('code')
    const asked = { status: 401, body: { error: { code: 'auth.second-factor' } } }
    expect(await at.exchange(from, code)).toMatchObject(asked)
    expect((await at.exchange(from, code, { secondFactor: used })).status).toBe(422)
    const [recovery] = on.body.recoveryCodes as string[]
    expect((await at.exchange(from, code, { secondFactor: recovery })).status).toBe(200)
    expect(await at.signIn('ann')).toMatchObject(asked)
  })

  test('is not guessed at with one code for ever', async () => {
    const at = await startWithProvider({ ann })
    await at.account('ann@example.com')
    const from = begun()
    const code = (await at.through(new Browser(), from, 'ann')).get('code')
    const tries = await Promise.all(
      Array.from({ length: 9 }, () => at.exchange(from, code, { password: 'a wrong password' })),
    )
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(await at.exchange(from, code, { password: PASSWORD })).toMatchObject({
      status: 422,
      body: { error: { code: 'account.google-code' } },
    })
  })
})

describe('the way through the browser', () => {
  test('that a person refuses ends at the program, which is told so', async () => {
    const at = await startWithProvider({ ann })
    const told = await at.through(new Browser(), begun(), null)
    expect(Object.fromEntries(told)).toEqual({ error: 'access_denied', state: begun().query.get('state') })
  })

  test('that comes back with another state, in another browser, or twice, leads nowhere', async () => {
    const at = await startWithProvider({ ann })
    const browser = new Browser()
    const from = begun()
    const callback = await at.toCallback(browser, from, 'ann')
    const tampered = new URL(callback)
    tampered.searchParams.set('state', 'x'.repeat(43))
    for (const [other, address] of [
      [browser, tampered.href],
      [new Browser(), callback],
      [browser, callback.split('?')[0]!],
    ] as const) {
      const page = await other.visit(address)
      expect(page.status).toBe(400)
      expect(page.headers.get('location')).toBeNull()
      expect(await page.text()).toContain('<html lang="de">')
    }
    const back = await browser.follow(callback, (url) => url.startsWith(REDIRECT))
    expect((await browser.visit(callback)).status).toBe(400)
    expect((await at.exchange(from, new URL(back).searchParams.get('code'))).status).toBe(200)
  })

  test('whose answer of the provider was tampered with signs nobody in', async () => {
    const at = await startWithProvider({ ann })
    for (const [name, value] of [
      ['code', 'of somebody else'],
      ['iss', 'http://127.0.0.1:1'],
    ] as const) {
      const browser = new Browser()
      const callback = new URL(await at.toCallback(browser, begun(), 'ann'))
      callback.searchParams.set(name, value)
      const back = await browser.follow(callback.href, (url) => url.startsWith(REDIRECT))
      expect(Object.fromEntries(new URL(back).searchParams), name).toMatchObject({ error: 'server_error' })
    }
  })

  test.for([
    'https://127.0.0.1/callback',
    'http://example.com/callback',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.1@example.com/',
    'http://me:pw@127.0.0.1/',
    'http://127.0.0.1:4321/callback#part',
    'http://127.0.0.1:4321/callback?next=//example.com',
    'http://127.0.0.1:99999/',
    'http://127.0.0.2/',
    'http://localhost.example.com',
    'http://localhost\\@example.com',
    'HTTP://127.0.0.1/',
    'wheelhouse://callback',
  ])('does not begin where it would end at %s', async (redirect) => {
    const at = await startWithProvider({})
    const response = await new Browser().visit(at.start(begun({ redirect_uri: redirect })))
    expect(response.status).toBe(422)
    expect(response.headers.get('location')).toBeNull()
  })

  test('ends at every form of this computer', async () => {
    const at = await startWithProvider({})
    for (const redirect of ['http://127.0.0.1:1/', 'http://[::1]:65535/a', 'http://localhost/callback'])
      expect((await new Browser().visit(at.start(begun({ redirect_uri: redirect })))).status).toBe(302)
  })

  test.for([{ state: 'short' }, { code_challenge: 'short' }, { code_challenge_method: 'plain' }])(
    'does not begin with %j',
    async (more) => {
      const at = await startWithProvider({})
      expect((await new Browser().visit(at.start(begun(more as never)))).status).toBe(422)
    },
  )

  test('is told that the provider is down, before it and on the way back', async () => {
    const at = await startWithProvider({ ann })
    const browser = new Browser()
    const callback = await at.toCallback(browser, begun(), 'ann')
    await at.provider.stop()
    const late = await browser.follow(callback, (url) => url.startsWith(REDIRECT))
    expect(new URL(late).searchParams.get('error')).toBe('temporarily_unavailable')
    const fresh = await startTestService({
      google: {
        ...{ issuer: new URL(at.provider.issuer), clientId: 'a', clientSecret: 'b', publicOrigin: null },
      },
    })
    const address = `${fresh.baseUrl}/auth/google?${begun().query.toString()}`
    const early = await new Browser().follow(address, (url) => url.startsWith(REDIRECT))
    expect(new URL(early).searchParams.get('error')).toBe('temporarily_unavailable')
  })

  test('is begun from one address only so often', async () => {
    const at = await startWithProvider({})
    const statuses = new Set<number>()
    for (let begins = 0; begins < 31; begins++)
      statuses.add((await new Browser().visit(at.start(begun()))).status)
    expect([...statuses]).toEqual([302, 429])
  })
})

describe('a code at the end', () => {
  test('is good once, and with the verifier of who began alone', async () => {
    const at = await startWithProvider({ ann })
    const from = begun()
    const code = (await at.through(new Browser(), from, 'ann')).get('code')
    const over = { status: 422, body: { error: { code: 'account.google-code' } } }
    expect(await at.exchange(begun(), code)).toMatchObject(over)
    // Who has the code and not the verifier is a thief: it is good for nobody any more.
    expect(await at.exchange(from, code)).toMatchObject(over)
    const next = (await at.through(new Browser(), from, 'ann')).get('code')
    const both = await Promise.all([at.exchange(from, next), at.exchange(from, next)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('and a sign-in at the provider are good for some minutes', async () => {
    const clock = heldClock(Date.now())
    const at = await startWithProvider({ ann }, { clock })
    const [from, browser] = [begun(), new Browser()]
    const code = (await at.through(new Browser(), from, 'ann')).get('code')
    clock.forward(CODE_MS)
    expect((await at.exchange(from, code)).status).toBe(422)
    const callback = await at.toCallback(browser, from, 'ann')
    clock.forward(PENDING_MS)
    expect((await browser.visit(callback)).status).toBe(400)
  })
})

test('a service without a client says that it does not offer this, whatever is sent', async () => {
  const at = await startTestService()
  const off = { status: 501, body: { error: { code: 'auth.google-off' } } }
  expect(await at.call('GET /auth/google')).toMatchObject(off)
  expect(await at.call('GET /auth/google/callback')).toMatchObject(off)
  const body = { code: 'a', codeVerifier: 'b'.repeat(43) }
  expect(await at.call('POST /auth/google/exchange', { body })).toMatchObject(off)
})
