import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../service.fixture.ts'
import type { AccountRow } from './accounts.ts'
import { systemClock } from '../base/clock.ts'
import { migrations } from './migrations.ts'
import { openStore } from './store.ts'

async function newStore() {
  const file = path.join(await temporaryFolder(), 'service.db')
  const store = await openStore(file, { clock: systemClock })
  onTestFinished(() => store.close())
  return store
}
const DAY = 24 * 60 * 60 * 1000
const account = (id: string, more: Partial<AccountRow> = {}): AccountRow => ({
  id,
  email: `${id}@example.org`,
  name: id,
  passwordHash: null,
  confirmedAt: 1,
  createdAt: 1,
  ...more,
})

test('an account knows the sixteen addresses it was signed in to from last', async () => {
  const { accounts } = await newStore()
  accounts.insert(account('ann'))
  const seen = Array.from({ length: 20 }, (_none, i) => `address ${i}`)
  for (const address of seen) {
    accounts.remember('ann', address)
    // Somebody who comes again and again stays known.
    accounts.remember('ann', 'home')
  }
  expect(accounts.knows('ann', 'home')).toBe(true)
  expect(seen.filter((address) => accounts.knows('ann', address))).toEqual(seen.slice(-15))
  expect(accounts.knows('ben', 'home')).toBe(false)
})

test('an account has a hundred sign-ins, of which the oldest end', async () => {
  const { accounts } = await newStore()
  accounts.insert(account('ann'))
  accounts.insert(account('ben'))
  accounts.insertToken('of ben', 'ben', 0, DAY)
  for (let i = 0; i < 103; i++) accounts.insertToken(`token ${i}`, 'ann', i, DAY)
  const lives = (hash: string) => accounts.tokenOwner(hash, 200) !== null
  expect([lives('token 2'), lives('token 3'), lives('token 102'), lives('of ben')]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('accounts that nobody confirms are forgotten after a day, and the oldest of too many', async () => {
  const { accounts } = await newStore()
  accounts.insert(account('confirmed'))
  accounts.insert(account('old', { confirmedAt: null, createdAt: DAY }))
  for (const [i, id] of ['a', 'b', 'c', 'd'].entries())
    accounts.insert(account(id, { confirmedAt: null, createdAt: DAY + 1 + i }))
  accounts.forgetUnconfirmed(2 * DAY, 3)
  const left = ['confirmed', 'old', 'a', 'b', 'c', 'd'].filter((id) => accounts.byId(id))
  expect(left).toEqual(['confirmed', 'b', 'c', 'd'])
})

test('a code belongs to who asked for it, and the newest is the one that was sent last', async () => {
  const { accounts, codes } = await newStore()
  accounts.insert(account('ann'))
  const put = (askedBy: string, hash: string) =>
    codes.put('ann', 'reset', { askedBy, salt: '', hash, expiresAt: DAY, triesLeft: 5 }, 0)
  put('owner', 'first')
  put('stranger', 'second')
  codes.useTry('ann', 'reset', 'stranger')
  expect(codes.of('ann', 'reset', 'owner')).toMatchObject({ hash: 'first', triesLeft: 5 })
  expect(codes.newest('ann', 'reset')).toMatchObject({ hash: 'second', triesLeft: 4 })
  put('owner', 'third')
  expect(codes.newest('ann', 'reset')).toMatchObject({ hash: 'third', askedBy: 'owner' })
  expect(codes.of('ann', 'confirm', 'owner')).toBeNull()
  codes.remove('ann', 'reset')
  expect(codes.newest('ann', 'reset')).toBeNull()
})

test('a database of the first version keeps its accounts, sign-ins and codes', async () => {
  const file = path.join(await temporaryFolder(), 'service.db')
  const before = new DatabaseSync(file)
  before.exec(migrations[0] ?? '')
  before.exec(`
    PRAGMA user_version = 1;
    INSERT INTO meta VALUES ('epoch', '1');
    INSERT INTO accounts VALUES ('ann', 'ann@example.org', 'Ann', 'hash', 1, 1);
    INSERT INTO tokens VALUES ('token', 'ann', 1, 1000);
    INSERT INTO codes VALUES ('ann', 'reset', 'salt', 'code', 1000, 3);
  `)
  before.close()
  const store = await openStore(file, { clock: systemClock })
  onTestFinished(() => store.close())
  expect(store.accounts.byEmail('ann@example.org')).toMatchObject({ id: 'ann', passwordHash: 'hash' })
  expect(store.accounts.tokenOwner('token', 2)).toBe('ann')
  expect(store.codes.newest('ann', 'reset')).toMatchObject({ hash: 'code', triesLeft: 3 })
})

test('what is done in one step is taken back whole where it fails', async () => {
  const { accounts, inOneStep } = await newStore()
  expect(() =>
    inOneStep(() => {
      accounts.insert(account('ann'))
      throw new Error('on purpose')
    }),
  ).toThrow('on purpose')
  expect(accounts.byId('ann')).toBeNull()
})
