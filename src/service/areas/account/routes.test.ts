import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { heldClock, PASSWORD, startTestService, temporaryFolder } from '../../service.fixture.ts'

const email = 'ann@example.org'
const other = 'a different passphrase'
const credentials = { email, password: PASSWORD }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('registering', () => {
  test('is refused where the service was not started for it', async () => {
    const { call } = await startTestService({ allowRegistration: false })
    const answer = await call('POST /auth/register', { body: { name: 'Ann', ...credentials } })
    expect(answer.status).toBe(403)
    expect(answer.body.error.code).toBe('account.registration-off')
  })

  test('makes an account that signs in once its code is confirmed', async () => {
    const { call, code } = await startTestService()
    const registered = await call('POST /auth/register', {
      body: { name: ' Ann ', email: 'Ann@Example.org', password: PASSWORD },
    })
    expect(registered.status).toBe(201)
    expect(registered.body.user).toMatchObject({ name: 'Ann', email, emailConfirmed: false })

    const early = await call('POST /auth/login', { body: credentials })
    expect([early.status, early.body.error.code]).toEqual([403, 'account.unconfirmed'])

    const confirmed = await call('POST /auth/email/confirm', { body: { email, code: await code() } })
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.user).toEqual({ ...registered.body.user, emailConfirmed: true })
    const signedIn = await call('POST /auth/login', { body: credentials })
    expect(signedIn.status).toBe(200)
    const me = await call('GET /users/me', { token: signedIn.body.token })
    expect(me.body).toEqual(confirmed.body.user)
  })

  test('answers the same for an address that has an account, and only its owner hears of it by mail', async () => {
    const clock = heldClock()
    const { call, account, mails } = await startTestService({ clock })
    await account(email)
    clock.forward(DAY)
    const again = await call('POST /auth/register', { body: { name: 'Eve', email, password: other } })
    const fresh = await call('POST /auth/register', {
      body: { name: 'Eve', email: 'new@example.org', password: other },
    })
    expect([again.status, fresh.status]).toEqual([201, 201])
    expect({ ...again.body.user, id: '' }).toEqual({ ...fresh.body.user, id: '', email })
    expect((await mails()).filter((mail) => mail.includes(`To: ${email}`)).at(-1)).toContain(
      'already has an account',
    )
    expect((await call('POST /auth/login', { body: { email, password: other } })).status).toBe(401)
    expect((await call('POST /auth/login', { body: credentials })).status).toBe(200)
  })

  test('a stranger who registered the address first does not get in once its owner confirms', async () => {
    const { call, code } = await startTestService()
    await call('POST /auth/register', { body: { name: 'Eve', email, password: other } })
    await call('POST /auth/register', { body: { name: 'Ann', ...credentials } })
    await call('POST /auth/email/confirm', { body: { email, code: await code() } })
    expect((await call('POST /auth/login', { body: { email, password: other } })).status).toBe(401)
    await call('POST /auth/password/forgot', { body: { email } })
    await call('POST /auth/password/reset', { body: { email, code: await code(), password: PASSWORD } })
    expect((await call('POST /auth/login', { body: credentials })).status).toBe(200)
  })

  test('names the fields that do not fit', async () => {
    const { call } = await startTestService()
    const answer = await call('POST /auth/register', { body: { name: ' ', email: 'ann', password: 'short' } })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'request.invalid'])
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(['email', 'name', 'password'])
  })
})

describe('codes', () => {
  const confirm = (code: string) => ({ body: { email, code } })
  const register = { body: { name: 'Ann', ...credentials } }
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

  test('a code is good for 15 minutes', async () => {
    const clock = heldClock()
    const { call, code } = await startTestService({ clock })
    await call('POST /auth/register', register)
    const sent = await code()
    clock.forward(15 * MINUTE)
    const late = await call('POST /auth/email/confirm', confirm(sent))
    expect([late.status, late.body.error.code]).toEqual([422, 'account.code-expired'])
    await call('POST /auth/email/resend', { body: { email } })
    clock.forward(15 * MINUTE - 1)
    expect((await call('POST /auth/email/confirm', confirm(await code()))).status).toBe(200)
  })

  test('a code of a clock that was ahead is not good for longer than any other', async () => {
    const clock = heldClock()
    const { call, code } = await startTestService({ clock })
    await call('POST /auth/register', register)
    const sent = await code()
    clock.set(-30 * DAY)
    const late = await call('POST /auth/email/confirm', confirm(sent))
    expect([late.status, late.body.error.code]).toEqual([422, 'account.code-expired'])
  })

  test('after five wrong tries the right one is refused too, until a new code is asked for', async () => {
    const { call, code } = await startTestService()
    await call('POST /auth/register', register)
    const sent = await code()
    for (let i = 0; i < 5; i++) {
      const answer = await call('POST /auth/email/confirm', confirm(wrong(sent)))
      expect([answer.status, answer.body.error.code]).toEqual([422, 'account.code-wrong'])
      expect(answer.body.error.fields.code).toHaveLength(1)
    }
    const right = await call('POST /auth/email/confirm', confirm(sent))
    expect([right.status, right.body.error.code]).toEqual([422, 'account.code-used-up'])
    expect((await call('POST /auth/email/resend', { body: { email } })).status).toBe(204)
    expect((await call('POST /auth/email/confirm', confirm(await code()))).status).toBe(200)
  })

  test('the five tries hold over a restart', async () => {
    const dataDir = await temporaryFolder()
    const first = await startTestService({ dataDir })
    await first.call('POST /auth/register', register)
    const sent = await first.code()
    for (let i = 0; i < 5; i++) await first.call('POST /auth/email/confirm', confirm(wrong(sent)))
    await first.service.close()
    const second = await startTestService({ dataDir })
    expect((await second.call('POST /auth/email/confirm', confirm(sent))).status).toBe(422)
  })

  test('an address without an account gets the same answers, and no mail', async () => {
    const { call, mails } = await startTestService()
    expect((await call('POST /auth/email/resend', { body: { email } })).status).toBe(204)
    expect((await call('POST /auth/password/forgot', { body: { email } })).status).toBe(204)
    const codes = []
    for (let i = 0; i < 6; i++) {
      codes.push((await call('POST /auth/email/confirm', confirm('123456'))).body.error.code)
    }
    expect(codes).toEqual([...Array<string>(5).fill('account.code-wrong'), 'account.code-used-up'])
    expect(await mails()).toEqual([])
  })

  test('a newer code makes the older one void', async () => {
    const { call, code } = await startTestService()
    await call('POST /auth/register', register)
    const older = await code()
    await call('POST /auth/email/resend', { body: { email } })
    const newer = await code()
    // One time in a million they are the same.
    if (newer !== older) expect((await call('POST /auth/email/confirm', confirm(older))).status).toBe(422)
    expect((await call('POST /auth/email/confirm', confirm(newer))).status).toBe(200)
  })

  test('a code works once, and for its own purpose alone', async () => {
    const { call, code } = await startTestService()
    await call('POST /auth/register', register)
    const sent = await code()
    const misused = await call('POST /auth/password/reset', { body: { email, code: sent, password: other } })
    expect(misused.status).toBe(422)
    expect((await call('POST /auth/email/confirm', confirm(sent))).status).toBe(200)
    expect((await call('POST /auth/email/confirm', confirm(sent))).status).toBe(422)
  })
})

describe('signing in', () => {
  test('a wrong password and an unknown address are told alike', async () => {
    const { call, account } = await startTestService()
    await account(email)
    const wrong = await call('POST /auth/login', { body: { email, password: other } })
    const unknown = await call('POST /auth/login', { body: { email: 'no@example.org', password: other } })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'account.wrong-credentials'])
    expect(unknown.status).toBe(401)
    expect({ ...unknown.body.error, requestId: '' }).toEqual({ ...wrong.body.error, requestId: '' })
  })

  test('an unconfirmed account with a wrong password hears only that it is wrong', async () => {
    const { call } = await startTestService()
    await call('POST /auth/register', { body: { name: 'Ann', ...credentials } })
    expect((await call('POST /auth/login', { body: { email, password: other } })).status).toBe(401)
  })

  test('a clock that is set ahead, and back again, signs nobody out', async () => {
    const clock = heldClock()
    const { call, account } = await startTestService({ clock })
    const token = await account(email)
    clock.set(31 * DAY)
    expect((await call('GET /users/me', { token })).status).toBe(401)
    // Signing in clears away what is expired.
    expect((await call('POST /auth/login', { body: { email, password: PASSWORD } })).status).toBe(200)
    clock.set(-31 * DAY)
    expect((await call('GET /users/me', { token })).status).toBe(200)
  })

  test('a token ends after 30 days', async () => {
    const clock = heldClock()
    const { call, account } = await startTestService({ clock })
    const token = await account(email)
    clock.forward(30 * DAY - 1)
    expect((await call('GET /users/me', { token })).status).toBe(200)
    clock.forward(1)
    const late = await call('GET /users/me', { token })
    expect([late.status, late.body.error.code]).toEqual([401, 'auth.token-invalid'])
  })

  test('signing out ends this token and no other', async () => {
    const { call, account } = await startTestService()
    const one = await account(email)
    const { token: two } = (await call('POST /auth/login', { body: credentials })).body
    expect((await call('POST /auth/logout', { token: one })).status).toBe(204)
    expect((await call('GET /users/me', { token: one })).status).toBe(401)
    expect((await call('GET /users/me', { token: two })).status).toBe(200)
  })

  test('neither tokens, passwords nor codes stand in the database or the log', async () => {
    const { call, account, code, service } = await startTestService()
    const token = await account(email)
    await call('POST /auth/password/forgot', { body: { email } })
    const sent = await code()
    await call('POST /auth/login', { body: { email, password: other } })
    for (const file of ['service.db', 'service.db-wal', 'logs/service.log']) {
      const bytes = await readFile(path.join(service.dataDir, file))
      // The email shows that this is where things are written.
      if (file === 'service.db-wal') expect(bytes.includes(email)).toBe(true)
      for (const secret of [token, token.slice(3), PASSWORD, other])
        expect(bytes.includes(secret)).toBe(false)
      // Six digits alone could stand in any number; in the log they would stand in quotes.
      expect(bytes.includes(`"${sent}"`)).toBe(false)
    }
  })
})

describe('passwords', () => {
  test('a reset by code sets the new one and ends every sign-in', async () => {
    const { call, account, code } = await startTestService()
    const token = await account(email)
    await call('POST /auth/password/forgot', { body: { email } })
    const reset = await call('POST /auth/password/reset', {
      body: { email, code: await code(), password: other },
    })
    expect(reset.status).toBe(204)
    expect((await call('GET /users/me', { token })).status).toBe(401)
    expect((await call('POST /auth/login', { body: credentials })).status).toBe(401)
    expect((await call('POST /auth/login', { body: { email, password: other } })).status).toBe(200)
  })

  test('an update needs the current one, keeps this sign-in and ends the others', async () => {
    const { call, account } = await startTestService()
    const here = await account(email)
    const { token: elsewhere } = (await call('POST /auth/login', { body: credentials })).body
    const update = (currentPassword: string) =>
      call('PATCH /users/password', { token: here, body: { currentPassword, newPassword: other } })
    const refused = await update('not the current one')
    expect([refused.status, refused.body.error.code]).toEqual([422, 'account.wrong-password'])
    expect(refused.body.error.fields).toHaveProperty('currentPassword')
    expect((await update(PASSWORD)).status).toBe(204)
    expect((await call('GET /users/me', { token: here })).status).toBe(200)
    expect((await call('GET /users/me', { token: elsewhere })).status).toBe(401)
    expect((await call('POST /auth/login', { body: { email, password: other } })).status).toBe(200)
  })

  test('letters count the same however a keyboard composes them', async () => {
    const { call, account } = await startTestService()
    await account(email, 'pässwörter sind lang'.normalize('NFD'))
    const password = 'pässwörter sind lang'.normalize('NFC')
    expect((await call('POST /auth/login', { body: { email, password } })).status).toBe(200)
  })
})
