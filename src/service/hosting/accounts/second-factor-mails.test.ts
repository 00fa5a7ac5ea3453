import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import type { Mail } from '../mail/mail.ts'
import { PASSWORD } from '../../service.fixture.ts'
import { openAccounts } from './accounts.fixture.ts'
import { createPasswords } from './sign-in/passwords.ts'
import { hashSecret } from '../secrets.ts'

const email = 'ann@example.org'

/** An account that is signed in, and the mails it got. */
async function signedIn() {
  const mails: Mail[] = []
  const passwords = createPasswords({ log2N: 4, r: 8, p: 1 })
  const { accounts, clock } = await openAccounts(passwords, {}, (mail) => mails.push(mail))
  await accounts.create({ name: 'Ann', email, password: PASSWORD })
  const { token } = await accounts.signIn(email, PASSWORD, '192.0.2.1')
  const caller = { accountId: accounts.authenticate(token)?.accountId ?? '', tokenHash: hashSecret(token) }
  const turnOn = async () => {
    const { secret } = await accounts.secondFactors.begin(caller, PASSWORD)
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() })
    return await accounts.secondFactors.turnOn(caller, code)
  }
  return { accounts, caller, mails, turnOn }
}

test('that the second factor was turned on or off is told by mail, in the account’s language', async () => {
  const { accounts, caller, mails, turnOn } = await signedIn()
  const { recoveryCodes } = await turnOn()
  await accounts.settled()
  expect(mails).toMatchObject([{ to: email, subject: 'Two-factor authentication is on for your account' }])
  accounts.update(caller, { language: 'de' })
  await expect(
    accounts.secondFactors.turnOff(caller, 'wrong wrong wrong', recoveryCodes[0]),
  ).rejects.toThrow()
  await accounts.secondFactors.turnOff(caller, PASSWORD, recoveryCodes[1])
  await accounts.settled()
  expect(mails.slice(1)).toMatchObject([
    { to: email, subject: 'Die Zwei-Faktor-Authentifizierung deines Kontos ist aus' },
  ])
  expect(mails[1]?.html).toContain('<html lang="de">')
})

test('turned on and off again and again, it fills no mailbox', async () => {
  const { accounts, caller, mails, turnOn } = await signedIn()
  for (let at = 0; at < 8; at++) {
    const { recoveryCodes } = await turnOn()
    await accounts.secondFactors.turnOff(caller, PASSWORD, recoveryCodes[0])
  }
  await accounts.settled()
  expect(mails).toHaveLength(10)
})
