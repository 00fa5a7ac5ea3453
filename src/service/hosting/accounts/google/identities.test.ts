import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../service.fixture.ts'
import { startWithProvider } from './google.fixture.ts'

const EMAIL = 'ann@example.com'
const ann = { email: 'Ann@example.com', name: 'Ann' }

type At = Awaited<ReturnType<typeof startWithProvider>>

/** An account with a password, to which the identity is linked, signed in to by that. */
async function linked(at: At) {
  const first = await at.account(EMAIL)
  const { body } = await at.signIn('ann', { password: PASSWORD })
  const token = body.token as string
  const methods = async () => (await at.call('GET /users/me/sign-in-methods', { token })).body
  const [{ id }] = (await methods()).identities as [{ id: string }]
  const unlink = (currentPassword = PASSWORD, more: { token?: string; code?: string } = {}) =>
    at.call(`DELETE /users/me/sign-in-methods/${id}`, {
      token: more.token ?? token,
      body: { currentPassword },
      headers: more.code === undefined ? {} : { 'X-Second-Factor': more.code },
    })
  return { token, first, methods, unlink, id }
}

const statusOf = async (at: At, token: string) => (await at.call('GET /users/me', { token })).status
const subjects = (mails: string[]) => mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])

describe('an identity', () => {
  test('is listed for its owner, and exported with who it is at the provider', async () => {
    const at = await startWithProvider({ ann })
    const { token, methods } = await linked(at)
    expect(await methods()).toEqual({
      hasPassword: true,
      identities: [
        {
          id: expect.stringMatching(/^[\w-]{22}$/),
          issuer: at.provider.issuer,
          email: 'Ann@example.com',
          since: expect.any(String),
        },
      ],
    })
    const { body } = await at.call('GET /users/me/export', { token })
    expect(body.signsInWith).toEqual([
      { issuer: at.provider.issuer, subject: 'ann', email: 'Ann@example.com', since: expect.any(String) },
    ])
  })

  test('is unlinked by the password: it signs in no more, and every other sign-in ends', async () => {
    const at = await startWithProvider({ ann })
    const { token, first, methods, unlink } = await linked(at)
    const byIdentity = (await at.signIn('ann')).body.token as string
    expect(await unlink('not the password')).toMatchObject({
      status: 422,
      body: { error: { code: 'account.wrong-password' } },
    })
    expect((await methods()).identities).toHaveLength(1)
    expect((await unlink()).status).toBe(204)
    expect(await methods()).toMatchObject({ hasPassword: true, identities: [] })
    expect(await statusOf(at, token)).toBe(200)
    for (const other of [first, byIdentity]) expect(await statusOf(at, other)).toBe(401)
    expect(await at.signIn('ann')).toMatchObject({
      status: 409,
      body: { error: { code: 'account.google-password' } },
    })
    expect(await unlink()).toMatchObject({
      status: 404,
      body: { error: { code: 'account.identity-not-found' } },
    })
  })

  test('of somebody else is not there, whoever asks', async () => {
    const at = await startWithProvider({ ann })
    const { unlink, methods } = await linked(at)
    const stranger = await at.account('bob@example.com')
    expect((await unlink(PASSWORD, { token: stranger })).status).toBe(404)
    expect((await methods()).identities).toHaveLength(1)
  })

  test('that is the only way in stays: there is no password to unlink it by', async () => {
    const at = await startWithProvider({ ann })
    const token = (await at.signIn('ann')).body.token as string
    const { body } = await at.call('GET /users/me/sign-in-methods', { token })
    expect(body.hasPassword).toBe(false)
    const route = `DELETE /users/me/sign-in-methods/${body.identities[0].id}`
    expect(await at.call(route, { token, body: { currentPassword: 'anything' } })).toMatchObject({
      status: 409,
      body: { error: { code: 'account.no-password' } },
    })
    expect((await at.signIn('ann')).status).toBe(200)
  })

  test('asks for the second factor where there is one, and uses its code up with the unlinking alone', async () => {
    const at = await startWithProvider({ ann })
    const { token, unlink, methods } = await linked(at)
    const { body } = await at.call('POST /users/me/second-factor', {
      token,
      body: { currentPassword: PASSWORD },
    })
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
    const turnedOn = await at.call('PUT /users/me/second-factor', { token, body: { code: totp.generate() } })
    const [recovery = ''] = turnedOn.body.recoveryCodes as string[]
    expect(await unlink()).toMatchObject({ status: 403, body: { error: { code: 'auth.second-factor' } } })
    expect((await unlink(PASSWORD, { code: '000000' })).status).toBe(422)
    expect((await unlink('wrong wrong wrong', { code: recovery })).status).toBe(422)
    expect((await methods()).identities).toHaveLength(1)
    expect((await unlink(PASSWORD, { code: recovery })).status).toBe(204)
  })

  test('is not unlinked by guessing: tries are counted with those of the password', async () => {
    const at = await startWithProvider({ ann })
    const { unlink, methods } = await linked(at)
    const statuses = []
    for (let tries = 0; tries < 11; tries++) statuses.push((await unlink(`wrong ${tries} wrong`)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429])
    expect((await unlink()).status).toBe(429)
    expect((await methods()).identities).toHaveLength(1)
  })
})

describe('the owner', () => {
  test('is told by mail when an identity is linked and when it is unlinked, in the account’s language', async () => {
    const at = await startWithProvider({ ann })
    const { token, unlink } = await linked(at)
    const provider = new URL(at.provider.issuer).host
    const before = await at.mails()
    expect(subjects(before).at(-1)).toBe(`${provider} was linked to your account`)
    expect(before.at(-1)?.replaceAll('=\n', '')).toContain(`${provider} (Ann@example.com)`)
    // Who is known there is told nothing more.
    await at.signIn('ann')
    expect(await at.mails()).toHaveLength(before.length)
    await at.call('PATCH /users/me', { token, body: { language: 'de' } })
    await unlink()
    const after = await at.mails()
    expect(after).toHaveLength(before.length + 1)
    expect(after.at(-1)).toContain('<html lang=3D"de">')
    expect(after.at(-1)).toContain('nicht mehr mit deinem Konto')
  })

  test('is told of an account that was made by an identity, and of one that a new password has unlinked', async () => {
    const at = await startWithProvider({ ann })
    await at.signIn('ann')
    expect(subjects(await at.mails())).toHaveLength(1)
    await at.call('POST /auth/password/forgot', { body: { email: EMAIL } })
    const reset = { email: EMAIL, code: await at.code(), password: PASSWORD }
    expect((await at.call('POST /auth/password/reset', { body: reset })).status).toBe(204)
    expect(subjects(await at.mails()).at(-1)).toContain('was unlinked from your account')
  })

  test('is told that an identity was unlinked by another one that takes its place, and every other sign-in ends', async () => {
    const at = await startWithProvider({ ann, other: { ...ann, name: 'Other' } })
    const { token, methods } = await linked(at)
    const provider = new URL(at.provider.issuer).host
    const [before, [was]] = [(await at.mails()).length, (await methods()).identities]
    const { status, body } = await at.signIn('other', { password: PASSWORD })
    expect([status, await statusOf(at, token), await statusOf(at, body.token)]).toEqual([200, 401, 200])
    const now = await at.call('GET /users/me/sign-in-methods', { token: body.token })
    expect(now.body.identities).toHaveLength(1)
    expect(now.body.identities[0].id).not.toBe(was.id)
    expect(subjects((await at.mails()).slice(before)).toSorted()).toEqual([
      `${provider} was linked to your account`,
      `${provider} was unlinked from your account`,
    ])
  })
})
