import { describe, expect, test } from 'vitest'
import { createLocalSecret } from './local-secret.ts'
import { LIMITS } from '../../http/limits/limits.ts'
import { heldClock, PASSWORD, startTestService } from '../../service.fixture.ts'

const email = 'ann@example.org'

describe('tries are limited', () => {
  test('wrong passwords for one account end in 429 with Retry-After, also for the right one', async () => {
    const { call, account } = await startTestService()
    await account(email)
    const signIn = (password: string) => call('POST /auth/login', { body: { email, password } })
    for (let i = 0; i < LIMITS.signInPerPair.points; i++) {
      expect((await signIn('wrong wrong wrong')).status).toBe(401)
    }
    const refused = await signIn(PASSWORD)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'account.too-many-tries'])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(LIMITS.signInPerPair.seconds)
  })

  test('many at once do not slip through', async () => {
    const { call } = await startTestService()
    const tries = Array.from({ length: 20 }, () =>
      call('POST /auth/login', { body: { email, password: 'wrong' } }),
    )
    const answers = await Promise.all(tries)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMITS.signInPerPair.points)
  })

  test('a right password makes the wrong ones before it forgotten', async () => {
    const few = { points: 2, seconds: 600 }
    const limits = { signInPerPair: few, signInKnown: few }
    const { call, account } = await startTestService({ limits })
    await account(email)
    for (const password of ['wrong', PASSWORD, 'wrong', PASSWORD, 'wrong', PASSWORD]) {
      const answer = await call('POST /auth/login', { body: { email, password } })
      expect(answer.status).toBe(password === PASSWORD ? 200 : 401)
    }
  })

  test('one address cannot try many accounts', async () => {
    const limits = { signInPerAddress: { points: 2, seconds: 600 } }
    const { call } = await startTestService({ limits })
    const statuses = []
    for (const name of ['a', 'b', 'c']) {
      const answer = await call('POST /auth/login', {
        body: { email: `${name}@example.org`, password: 'wrong' },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([401, 401, 429])
  })

  test('a limit ends when its time is over', async () => {
    const limits = { signInPerPair: { points: 1, seconds: 3 } }
    const clock = heldClock()
    const { call } = await startTestService({ limits, clock })
    const status = async () => (await call('POST /auth/login', { body: { email, password: 'wrong' } })).status
    expect([await status(), await status()]).toEqual([401, 429])
    clock.forward(3000)
    expect(await status()).toBe(401)
  })

  test('codes cannot be asked for without end, with an account or without', async () => {
    const { call, account } = await startTestService()
    await account(email)
    for (const address of [email, 'nobody@example.org']) {
      const statuses = []
      for (let i = 0; i <= LIMITS.mailPerPair.points; i++) {
        statuses.push((await call('POST /auth/password/forgot', { body: { email: address } })).status)
      }
      expect(statuses.at(-1)).toBe(429)
      expect(statuses[0]).toBe(204)
    }
  })

  test('wrong current passwords are limited too', async () => {
    const limits = { passwordPerToken: { points: 1, seconds: 600 } }
    const { call, account } = await startTestService({ limits })
    const token = await account(email)
    const body = { currentPassword: 'wrong', newPassword: 'a new passphrase' }
    expect((await call('PATCH /users/password', { token, body })).status).toBe(422)
    expect((await call('PATCH /users/password', { token, body })).status).toBe(429)
  })
})

describe('where all come from this computer', () => {
  const wrong = { body: { email, password: 'wrong wrong wrong' } }
  const right = { body: { email, password: PASSWORD } }
  const asked = (by: string) => ({ headers: { 'X-Forwarded-For': by } })

  test.each([true, false])(
    'strangers behind a reverse proxy do not keep the panel beside it out (told of the proxy: %s)',
    async (behindProxy) => {
      const { call, account } = await startTestService({ behindProxy })
      await account(email)
      const statuses = []
      for (let i = 0; i < 140; i++) {
        // What stands first is the stranger's own invention: the owner's address, if they know it.
        const stranger = asked(`127.0.0.1, 203.0.113.${i % 14}`)
        statuses.push((await call('POST /auth/login', { ...wrong, ...stranger })).status)
        if (i < 20) await call('POST /auth/password/forgot', { body: { email }, ...stranger })
      }
      expect(statuses.at(-1)).toBe(429)
      expect((await call('POST /auth/login', right)).status).toBe(200)
      expect((await call('POST /auth/password/forgot', { body: { email } })).status).toBe(204)
    },
  )

  test('an owner behind the same reverse proxy is known by the address that it names', async () => {
    const { call, account } = await startTestService({ behindProxy: true })
    await account(email)
    expect((await call('POST /auth/login', { ...right, ...asked('192.0.2.1') })).status).toBe(200)
    for (let i = 0; i < 140; i++)
      await call('POST /auth/login', { ...wrong, ...asked(`203.0.113.${i % 14}`) })
    expect((await call('POST /auth/login', { ...right, ...asked('203.0.113.99') })).status).toBe(429)
    expect((await call('POST /auth/login', { ...right, ...asked('192.0.2.1') })).status).toBe(200)
  })
})

describe('the local owner', () => {
  const secret = 'a secret of more than twenty characters'

  test('is signed in whatever strangers on this computer tried before, though not by a proxy', async () => {
    const clock = heldClock()
    const localSecret = createLocalSecret(clock)
    localSecret.give(secret)
    const { call } = await startTestService({ clock, localSecret, behindProxy: true })
    const statuses = []
    for (let i = 0; i <= LIMITS.localPerAddress.points; i++)
      statuses.push((await call('POST /auth/local', { body: { secret: `${secret} ${i}` } })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    const headers = { 'X-Forwarded-For': '192.0.2.1' }
    expect((await call('POST /auth/local', { body: { secret }, headers })).status).toBe(403)
    expect((await call('POST /auth/local', { body: { secret } })).status).toBe(200)
  })

  test('is signed in by the secret of the parent, once', async () => {
    const clock = heldClock()
    const localSecret = createLocalSecret(clock)
    localSecret.give(secret)
    const { call } = await startTestService({ clock, localSecret })
    expect((await call('POST /auth/local', { body: { secret: `${secret}?` } })).status).toBe(401)
    const answer = await call('POST /auth/local', { body: { secret } })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ id: 'local', email: null })
    expect((await call('GET /users/me', { token: answer.body.token })).body.id).toBe('local')
    expect((await call('POST /auth/local', { body: { secret } })).status).toBe(401)
  })

  test('the secret is good for five minutes', async () => {
    const clock = heldClock()
    const localSecret = createLocalSecret(clock)
    localSecret.give(secret)
    const { call } = await startTestService({ clock, localSecret })
    clock.forward(5 * 60_000)
    expect((await call('POST /auth/local', { body: { secret } })).status).toBe(401)
  })

  test('is not there in a service without a parent', async () => {
    const { call } = await startTestService()
    const answer = await call('POST /auth/local', { body: { secret } })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'account.local-off'])
  })

  test('has no password to change', async () => {
    const clock = heldClock()
    const localSecret = createLocalSecret(clock)
    localSecret.give(secret)
    const { call } = await startTestService({ clock, localSecret })
    const { token } = (await call('POST /auth/local', { body: { secret } })).body
    const body = { currentPassword: 'x', newPassword: 'a new passphrase' }
    const answer = await call('PATCH /users/password', { token, body })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'account.no-password'])
  })
})
