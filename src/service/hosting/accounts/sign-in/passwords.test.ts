import { describe, expect, test } from 'vitest'
import { createPasswords, PASSWORD_COST } from './passwords.ts'

const cheap = { log2N: 4, r: 8, p: 1 }
const who = { lane: 'stranger', group: 'somebody' } as const

describe('passwords', () => {
  test('are hashed with the cost in the hash and a salt of their own', async () => {
    const passwords = createPasswords()
    const { log2N, r, p } = PASSWORD_COST
    const hash = await passwords.hash('correct horse', who)
    expect(hash).toMatch(new RegExp(`^scrypt\\$${log2N}\\$${r}\\$${p}\\$[\\w-]{22}\\$[\\w-]{43}$`))
    expect(await passwords.hash('correct horse', who)).not.toBe(hash)
    expect(await passwords.verify('correct horse', hash, who)).toBe(true)
    expect(await passwords.verify('correct horsf', hash, who)).toBe(false)
  })

  test('cost enough: at least what OWASP asks of scrypt', () => {
    expect(PASSWORD_COST.r).toBe(8)
    // N=2^17 p=1, N=2^16 p=2, N=2^15 p=3 are given as equals.
    expect(2 ** PASSWORD_COST.log2N * PASSWORD_COST.p).toBeGreaterThanOrEqual(3 * 2 ** 15)
  })

  test('that were hashed at another cost still fit', async () => {
    const hash = await createPasswords(cheap).hash('correct horse', who)
    expect(await createPasswords({ ...cheap, log2N: 5 }).verify('correct horse', hash, who)).toBe(true)
  })

  test('fit nobody where there is no hash', async () => {
    expect(await createPasswords(cheap).verify('', null, who)).toBe(false)
  })

  test('are worked on in turn, and too many at once are told to come back', async () => {
    const passwords = createPasswords(cheap)
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => passwords.hash('x', who)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 429, headers: { 'Retry-After': '5' } })
    expect(await passwords.hash('x', who)).toMatch(/^scrypt/)
  })
})
