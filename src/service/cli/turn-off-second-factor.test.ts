import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { serviceProgram } from '../service-program.fixture.ts'
import { openTestService, PASSWORD, temporaryFolder } from '../service.fixture.ts'

const email = 'ann@example.org'

async function turnOff(data: string, address: string) {
  const args = [serviceProgram, '--data', data, '--turn-off-second-factor', address]
  return await promisify(execFile)(process.execPath, args).catch(
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
}

test('whoever runs the service turns off the second factor of somebody who has lost it', async () => {
  const data = await temporaryFolder()
  const first = await openTestService({ dataDir: data })
  const token = await first.account(email)
  const { body } = await first.call('POST /users/me/second-factor', {
    token,
    body: { currentPassword: PASSWORD },
  })
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
  expect((await first.call('PUT /users/me/second-factor', { token, body: { code } })).status).toBe(200)
  const signIn = { body: { email, password: PASSWORD } }
  expect((await first.call('POST /auth/login', signIn)).status).not.toBe(200)
  expect(await turnOff(data, email)).toMatchObject({ code: 1, stdout: '' })
  await first.service.close(true)

  expect(await turnOff(data, 'nobody@example.org')).toMatchObject({
    ...{ code: 1, stdout: '', stderr: 'nobody@example.org has no account here.\n' },
  })
  const off = `Two-factor authentication of ${email} is off, and all sign-ins have ended. The password stays as it was.\nThe service passes an email about it on when it is started again.\n`
  expect(await turnOff(data, email)).toMatchObject({ stdout: off, stderr: '' })
  const none = `${email} doesn't use two-factor authentication. Nothing was changed.\n`
  expect(await turnOff(data, email)).toMatchObject({ stdout: none, stderr: '' })

  const again = await openTestService({ dataDir: data })
  try {
    expect((await again.call('GET /users/me', { token })).status).toBe(401)
    const told = (await again.mails()).filter((mail) =>
      mail.includes('Two-factor authentication is off for your account'),
    )
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`To: ${email}`)
    expect(told[0]).toContain('whoever runs this service')
    expect(await readdir(path.join(data, 'outbox', 'waiting'))).toEqual([])
    expect((await again.call('POST /auth/login', signIn)).status).toBe(200)
  } finally {
    await again.service.close(true)
  }
})
