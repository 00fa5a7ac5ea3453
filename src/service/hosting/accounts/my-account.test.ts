import { describe, expect, test } from 'vitest'
import { heldClock, PASSWORD, startTestService } from '../../service.fixture.ts'

const email = 'ann@example.org'
const MINUTE = 60_000

describe('where an account is signed in', () => {
  test('each sign-in is listed with its device, its address and its last use, and never its token', async () => {
    const clock = heldClock()
    const { call, account } = await startTestService({ clock })
    const token = await account(email)
    const { token: other } = (await call('POST /auth/login', { body: { email, password: PASSWORD } })).body
    clock.forward(MINUTE)
    await call('GET /users/me', { token: other, headers: { 'User-Agent': 'A tablet' } })
    clock.forward(MINUTE)
    const { body } = await call('GET /users/me/sessions', {
      token,
      headers: { 'User-Agent': 'Wheelhouse (Linux)' },
    })
    expect(body.items).toMatchObject([
      {
        device: 'Wheelhouse (Linux)',
        address: '127.0.0.1',
        current: true,
        createdAt: '2026-01-01T00:00:00.000Z',
        lastUsedAt: '2026-01-01T00:02:00.000Z',
      },
      { device: 'A tablet', current: false, lastUsedAt: '2026-01-01T00:01:00.000Z' },
    ])
    expect(JSON.stringify(body)).not.toContain(token.slice(3))
    expect(Object.keys(body.items[0]).sort()).toEqual([
      'address',
      'createdAt',
      'current',
      'device',
      'id',
      'lastUsedAt',
    ])
  })

  test('a sign-in that was not used yet is listed with where it was begun', async () => {
    const { call, account } = await startTestService()
    const token = await account(email)
    const headers = { 'User-Agent': 'A thief' }
    await call('POST /auth/login', { body: { email, password: PASSWORD }, headers })
    const { body } = await call('GET /users/me/sessions', { token })
    expect(body.items).toContainEqual(
      expect.objectContaining({ device: 'A thief', address: '127.0.0.1', current: false }),
    )
  })

  test('what calls itself a device is one line of a bounded length', async () => {
    const clock = heldClock()
    const { call, account } = await startTestService({ clock })
    const token = await account(email)
    await call('GET /users/me', { token, headers: { 'User-Agent': `x\u0085y${'z'.repeat(5000)}` } })
    const long = { token, headers: { 'User-Agent': 'z'.repeat(5000) } }
    const device = async () => (await call('GET /users/me/sessions', long)).body.items[0].device
    // Who calls itself something else with each request writes no more often for that.
    expect(await device()).not.toMatch(/^z/)
    clock.forward(10_000)
    expect(await device()).toHaveLength(120)
  })

  test('one is ended, or all but the one that asks, and nobody ends those of others', async () => {
    const { call, account } = await startTestService()
    const ann = await account(email)
    const ben = await account('ben@example.org')
    const signIn = async () =>
      String((await call('POST /auth/login', { body: { email, password: PASSWORD } })).body.token)
    const [second, third] = [await signIn(), await signIn()]
    const list = async (token: string) => (await call('GET /users/me/sessions', { token })).body.items
    const secondId = (await list(second)).find((one: { current: boolean }) => one.current).id
    const foreign = await call(`DELETE /users/me/sessions/${secondId}`, { token: ben })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'account.session-not-found'])
    expect((await call(`DELETE /users/me/sessions/${secondId}`, { token: ann })).status).toBe(204)
    expect((await call('GET /users/me', { token: second })).status).toBe(401)
    expect((await call('DELETE /users/me/sessions', { token: ann })).status).toBe(204)
    expect((await call('GET /users/me', { token: third })).status).toBe(401)
    expect((await call('GET /users/me', { token: ben })).status).toBe(200)
    expect(await list(ann)).toHaveLength(1)
  })
})

describe('what an account says of itself', () => {
  test('mails are written in its language, which the program that registers may say', async () => {
    const { call, code, mails } = await startTestService()
    const asked = { name: 'Ann', email, password: PASSWORD }
    await call('POST /auth/register', { body: asked, headers: { 'Accept-Language': 'de-AT, en;q=0.5' } })
    expect((await mails()).at(-1)).toContain('Hallo Ann,')
    const confirmed = await call('POST /auth/email/confirm', { body: { email, code: await code() } })
    const { token, user } = confirmed.body
    expect(user).toMatchObject({ language: 'de' })
    await call('PATCH /users/me', { token, body: { language: 'en' } })
    await call('POST /auth/password/forgot', { body: { email } })
    expect((await mails()).at(-1)).toContain('Hello Ann,')
  })

  test('where nobody is to get a code, none is good and no mail is written', async () => {
    const { call, account, mails } = await startTestService()
    const token = await account(email)
    const before = (await mails()).length
    for (const [route, to] of [
      ['POST /auth/password/forgot', 'nobody@example.org'],
      ['POST /auth/email/resend', 'nobody@example.org'],
      ['POST /auth/email/resend', email],
    ] as const)
      expect((await call(route, { body: { email: to } })).status).toBe(204)
    expect(await mails()).toHaveLength(before)
    expect((await call('GET /users/me', { token })).status).toBe(200)
  })

  test('name and language are changed, each by itself', async () => {
    const { call, account } = await startTestService()
    const token = await account(email)
    expect((await call('GET /users/me', { token })).body.language).toBeUndefined()
    const named = await call('PATCH /users/me', { token, body: { name: '  Ann B. ' } })
    expect(named.body).toMatchObject({ name: 'Ann B.', email })
    await call('PATCH /users/me', { token, body: { language: 'de' } })
    expect((await call('GET /users/me', { token })).body).toMatchObject({ name: 'Ann B.', language: 'de' })
    for (const body of [{ name: '' }, { name: 'a\nb' }, { language: 'tlh' }, { email: 'eve@example.org' }])
      expect((await call('PATCH /users/me', { token, body })).status).toBe(422)
  })

  test('all that is held about it is one file, with no secret and no hash in it', async () => {
    const { call, account } = await startTestService()
    const token = await account(email)
    const answer = await call('GET /users/me/export', { token })
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(answer.body).toMatchObject({ account: { email }, hasPassword: true, servers: [] })
    expect(answer.body.sessions).toHaveLength(1)
    expect(JSON.stringify(answer.body)).not.toMatch(/scrypt|hash|"secret|wh_/i)
  })

  test('the file names the servers that are shared with it, and those that are offered', async () => {
    const { call, account } = await startTestService()
    const [ann, ben] = [await account(email), await account('ben@example.org')]
    const software = { id: 'demo', version: '1.20.4' }
    for (const name of ['Meadow', 'Harbor']) {
      const body = { name, software, memoryMb: 512 }
      const { id } = (await call('POST /servers', { token: ann, body })).body
      const invite = { email: 'ben@example.org', scopes: ['server.read'] }
      await call(`POST /servers/access/${id}`, { token: ann, body: invite })
    }
    const { items } = (await call('GET /invitations', { token: ben })).body
    await call(`POST /invitations/${items[0].id}`, { token: ben, body: { accept: true } })
    const { body } = await call('GET /users/me/export', { token: ben })
    expect(body.sharedWithYou).toMatchObject([{ scopes: ['server.read'] }])
    expect(body.invitations).toMatchObject([{ from: 'Ann', scopes: ['server.read'] }])
    const named = [body.sharedWithYou[0].server.name, body.invitations[0].server]
    expect(named.toSorted()).toEqual(['Harbor', 'Meadow'])
    const own = (await call('GET /users/me/export', { token: ann })).body
    expect(own).toMatchObject({ sharedWithYou: [], invitations: [] })
  })
})
