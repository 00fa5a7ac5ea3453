import { setImmediate } from 'node:timers/promises'
import { expect, describe, test } from 'vitest'
import { networkOf } from '../../base/client-address.ts'
import { Refusal } from '../../../host/refusal.ts'
import { codeIn, openAccounts } from './accounts.fixture.ts'
import { clientOf } from './sign-in/client-identity.ts'
import { LIMITS } from '../../http/limits/limits.ts'
import { createPasswords } from './sign-in/passwords.ts'

const email = 'ann@example.org'
const PASSWORD = 'correct horse battery'
const home = '192.0.2.1'
const NEW = 'another passphrase'

/** What was answered: `ok`, or status and code. */
const said = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Refusal) return `${error.status} ${error.code}`
      throw error
    },
  )

/** So many addresses, none of them the owner's. */
const strangers = (count: number): string[] =>
  Array.from({ length: count }, (_none, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)

/** The owner has an account, and signed in at home once. */
async function ownedAccount(log2N = 4) {
  const mails: { to: string; code: string }[] = []
  const opened = await openAccounts(createPasswords({ log2N, r: 8, p: 1 }), {}, (mail) =>
    mails.push({ to: mail.to, code: codeIn(mail) }),
  )
  const { accounts } = opened
  await accounts.create({ name: 'Ann', email, password: PASSWORD })
  await accounts.signIn(email, PASSWORD, home)
  const newestCode = async () => {
    await accounts.settled()
    return mails.at(-1)?.code ?? ''
  }
  /** Lets so many seconds pass, for what is counted too. */
  const later = (seconds: number) => {
    opened.clock.forward(seconds * 1000 + 1)
  }
  return { ...opened, mails, newestCode, later }
}
const wrong = (...codes: string[]) =>
  ['000000', '000001', '000002'].find((code) => !codes.includes(code)) ?? ''

describe.each([14, 2000])('strangers at %i addresses', (count) => {
  test('cannot keep the owner from signing in where they signed in before', async () => {
    const { accounts } = await ownedAccount()
    const answers = []
    for (const address of strangers(count))
      for (let i = 0; i < (count > 1000 ? 2 : 10); i++)
        answers.push(await said(accounts.signIn(email, 'wrong wrong wrong', address)))
    // They guess no faster together, but for the first tries of each address and network …
    const { signInPerAccount, signInFirst, signInFirstPerNetwork } = LIMITS
    const networks = new Set(strangers(count).map(networkOf)).size
    const guessed = answers.filter((answer) => answer.startsWith('401')).length
    expect(guessed).toBeLessThanOrEqual(
      signInPerAccount.points + Math.min(count * signInFirst.points, networks * signInFirstPerNetwork.points),
    )
    expect(answers.at(-1)).toBe('429 account.too-many-tries')
    // … and the owner does not notice.
    expect(await said(accounts.signIn(email, 'a slip of the finger', home))).toBe(
      '401 account.wrong-credentials',
    )
    expect(await said(accounts.signIn(email, PASSWORD, home))).toBe('ok')
  })

  test('cannot keep out an owner at a new address: the right password gets in, and so does the next code', async () => {
    const { accounts, mails, newestCode, later } = await ownedAccount()
    for (const address of strangers(count)) {
      for (let i = 0; i < (count > 1000 ? 2 : 10); i++)
        await said(accounts.signIn(email, 'wrong wrong wrong', address))
      await said(accounts.forgot(email, address))
    }
    for (const [at, address] of ['198.51.100.7', '2001:db8:1:3::1'].entries()) {
      if (at === 0) expect(await said(accounts.signIn(email, 'a slip of the finger', address))).toMatch('401')
      expect(await said(accounts.signIn(email, PASSWORD, address))).toBe('ok')
    }
    // Who has forgotten it waits for two hours at most.
    const hotel = '203.0.113.9'
    const before = mails.length
    if ((await said(accounts.forgot(email, hotel))) !== 'ok') {
      later(LIMITS.mailReserve.seconds)
      expect(await said(accounts.forgot(email, hotel))).toBe('ok')
    }
    const code = await newestCode()
    expect(mails.length).toBe(before + 1)
    expect(await said(accounts.reset(email, code, NEW, hotel))).toBe('ok')
    expect(await said(accounts.signIn(email, NEW, hotel))).toBe('ok')
  })

  test('cannot use up the mails of the owner, and fill no mailbox', async () => {
    const { accounts, mails, newestCode } = await ownedAccount()
    for (const address of strangers(count)) await said(accounts.forgot(email, address))
    await accounts.settled()
    expect(mails).toHaveLength(LIMITS.mailPerEmailDaily.points + LIMITS.mailReserve.points)
    expect(await said(accounts.forgot(email, home))).toBe('ok')
    expect(await said(accounts.reset(email, await newestCode(), NEW, home))).toBe('ok')
    expect(await said(accounts.signIn(email, NEW, home))).toBe('ok')
  })

  test("cannot use up the tries of the owner's code, nor make it void, and guess few times at it", async () => {
    const { accounts, newestCode } = await ownedAccount()
    await accounts.forgot(email, home)
    const code = await newestCode()
    const guesses = []
    for (const address of strangers(count)) {
      await said(accounts.forgot(email, address))
      const other = await newestCode()
      for (let i = 0; i < (count > 1000 ? 2 : 6); i++)
        guesses.push(await said(accounts.reset(email, wrong(code, other), NEW, address)))
    }
    const compared = guesses.filter((answer) => answer === '422 account.code-wrong').length
    const { mailPerEmailDaily, mailReserve, codePerAsker, codePerEmail } = LIMITS
    const mailed = mailPerEmailDaily.points + mailReserve.points
    expect(compared).toBeLessThanOrEqual(mailed * codePerAsker.points + codePerEmail.points)
    expect(await said(accounts.reset(email, code, NEW, home))).toBe('ok')
  })

  test('hear the same of an email with an account and of one without', async () => {
    const { accounts } = await ownedAccount()
    const answersFor = async (to: string) => {
      const answers = []
      for (const address of strangers(Math.min(count, 300))) {
        for (let i = 0; i < 3; i++)
          answers.push(await said(accounts.signIn(to, 'wrong wrong wrong', address)))
        answers.push(await said(accounts.reset(to, '000000', NEW, address)))
        answers.push(await said(accounts.forgot(to, address)))
        await accounts.settled()
        for (let i = 0; i < 7; i++) answers.push(await said(accounts.reset(to, '000000', NEW, address)))
      }
      return answers
    }
    expect(await answersFor('nobody@example.org')).toEqual(await answersFor(email))
  })

  test('that fill the queue of passwords with unknown emails do not keep the owner out', async () => {
    const { accounts } = await ownedAccount(12)
    let ended = 0
    const flood = strangers(count).flatMap((address, i) =>
      Array.from({ length: count > 1000 ? 1 : 20 }, (_none, j) =>
        said(accounts.signIn(`nobody-${i}-${j}@example.org`, 'wrong wrong wrong', address)).finally(
          () => ended++,
        ),
      ),
    )
    // All of them stand in the queue, and not one is done.
    await setImmediate()
    expect(ended).toBeLessThan(flood.length)
    const mine = said(accounts.signIn(email, PASSWORD, home))
    const changed = said(accounts.forgot(email, home))
    expect(await mine).toBe('ok')
    expect(await changed).toBe('ok')
    const answers = await Promise.all(flood)
    expect(answers).toContain('429 service.busy')
    expect(ended).toBe(flood.length)
  })
})

test('an owner who was wrong three times at a new address meanwhile gets in by a code, and is known there from then on', async () => {
  const { accounts, newestCode } = await ownedAccount()
  const hotel = '198.51.100.7'
  for (const address of strangers(14))
    for (let i = 0; i < 10; i++) await said(accounts.signIn(email, 'wrong wrong wrong', address))
  for (let i = 0; i < LIMITS.signInFirst.points; i++)
    expect(await said(accounts.signIn(email, 'a slip of the finger', hotel))).toMatch('401')
  const error = await accounts.signIn(email, PASSWORD, hotel).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 429, message: expect.stringContaining('ask for a code') })
  await accounts.forgot(email, hotel)
  expect(await said(accounts.reset(email, await newestCode(), NEW, hotel))).toBe('ok')
  expect(await said(accounts.signIn(email, NEW, hotel))).toBe('ok')
})

test('a code that a stranger asked for is no trap: the owner may enter it as well as their own', async () => {
  for (const which of [0, 1]) {
    const { accounts, mails } = await ownedAccount()
    for (const address of [home, '198.51.100.7']) {
      await accounts.forgot(email, address)
      await accounts.settled()
    }
    expect(mails).toHaveLength(2)
    expect(await said(accounts.reset(email, mails[which]?.code ?? '', NEW, home))).toBe('ok')
  }
})

test('a code can be entered on another network than it was asked for from', async () => {
  const { accounts, newestCode } = await ownedAccount()
  await accounts.forgot(email, home)
  expect(await said(accounts.reset(email, await newestCode(), NEW, '198.51.100.7'))).toBe('ok')
})

test('all addresses of one household count as one, and so does IPv4 that is written as IPv6', async () => {
  for (const household of [
    (i: number) => `2001:db8:1:2:${i.toString(16)}::1`,
    (i: number) => (i % 2 ? '::ffff:203.0.113.5' : '203.0.113.5'),
  ]) {
    const { accounts } = await ownedAccount()
    const answers = []
    for (let i = 0; i < 30; i++)
      answers.push(await said(accounts.signIn(email, 'wrong wrong wrong', household(i))))
    expect(answers.filter((answer) => answer.startsWith('401'))).toHaveLength(LIMITS.signInPerPair.points)
  }
})

test('an owner is known in all of their household, and not in the next one', async () => {
  const { accounts } = await ownedAccount()
  await accounts.signIn(email, PASSWORD, '2001:db8:1:2::1')
  for (const address of strangers(14))
    for (let i = 0; i < 10; i++) await said(accounts.signIn(email, 'wrong wrong wrong', address))
  expect(await said(accounts.signIn(email, PASSWORD, '2001:db8:1:2:ffff::9'))).toBe('ok')
  const next = '2001:db8:1:3::1'
  for (let i = 0; i < LIMITS.signInFirst.points; i++)
    await said(accounts.signIn(email, 'wrong wrong wrong', next))
  expect(await said(accounts.signIn(email, PASSWORD, next))).toBe('429 account.too-many-tries')
})

test('who shares an address with the owner and tries other accounts does not keep the owner out', async () => {
  const { accounts } = await ownedAccount()
  for (let i = 0; i < 60; i++) {
    await said(accounts.signIn(`nobody-${i}@example.org`, 'wrong wrong wrong', home))
    await said(accounts.forgot(`nobody-${i}@example.org`, home))
    await said(accounts.reset(`nobody-${i}@example.org`, '000000', NEW, home))
  }
  expect(await said(accounts.signIn(email, PASSWORD, home))).toBe('ok')
  expect(await said(accounts.forgot(email, home))).toBe('ok')
})

test('a thief of a token guesses the password no faster from many addresses, and holds up no other token', async () => {
  const { accounts } = await ownedAccount()
  const callerOf = async () => {
    const { token } = await accounts.signIn(email, PASSWORD, home)
    return accounts.authenticate(token)!
  }
  const [stolen, own] = [await callerOf(), await callerOf()]
  const answers = []
  for (let i = 0; i < 30; i++) answers.push(await said(accounts.updatePassword(stolen, 'wrong wrong', NEW)))
  expect(answers.filter((answer) => answer.startsWith('422'))).toHaveLength(LIMITS.passwordPerToken.points)
  expect(await said(accounts.updatePassword(own, PASSWORD, NEW))).toBe('ok')
})

test('addresses are kept as hashes that are others for each account and each service', async () => {
  const [one, two] = [await ownedAccount(), await ownedAccount()]
  const hashes = [
    clientOf(one.store, email, home),
    clientOf(one.store, 'ben@example.org', home),
    clientOf(two.store, email, home),
  ].map(({ addressHash, known, waiter }) => ({ addressHash, known, waiter }))
  expect(new Set(hashes.map(({ addressHash }) => addressHash)).size).toBe(3)
  expect(hashes.map(({ known }) => known)).toEqual([true, false, true])
  for (const { addressHash } of hashes) expect(addressHash).toMatch(/^[\w-]{43}$/)
  // A stranger waits in the same place, whether the email has an account or not.
  const stranger = (to: string) => clientOf(one.store, to, '203.0.113.1').waiter
  expect(stranger(email)).toEqual(stranger('nobody@example.org'))
})
