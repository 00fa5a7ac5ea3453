import type * as Crypto from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PASSWORD, temporaryFolder } from '../service.fixture.ts'

// What derives is node's own; this only counts how often it is asked.
const derived = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  const counted = (...asked: Parameters<typeof crypto.scrypt>) => {
    derived.count++
    crypto.scrypt(...asked)
  }
  return { ...crypto, scrypt: counted }
})
const { startService } = await import('../service.ts')

test('a start derives no hash of a password, also where there is an account; signing in derives one', async () => {
  const dataDir = await temporaryFolder()
  const passwordCost = { log2N: 4, r: 8, p: 1 }
  const first = await startService({ dataDir, passwordCost })
  expect(derived.count).toBe(0)
  await first.accounts.create({ name: 'Ann', email: 'ann@example.org', password: PASSWORD })
  await first.close()
  derived.count = 0
  const again = await startService({ dataDir, passwordCost })
  onTestFinished(() => again.close())
  expect(derived.count).toBe(0)
  await again.accounts.signIn('ann@example.org', PASSWORD, '127.0.0.1')
  expect(derived.count).toBe(1)
})
