import { describe, expect, it } from 'vitest'
import { problem } from '../base/problem.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { runningServers } from './open-local.ts'

const answered = { asOf: null, stale: false, problem: null }
const value = {
  items: [{ status: 'online' }, { status: 'offline' }, { status: 'crashed' }, { status: 'sleeping' }],
}

describe('how many servers run', () => {
  it('is what the service says now', async () => {
    expect(await runningServers(() => Promise.resolve({ ...answered, value }))).toBe(1)
  })

  it('is not known where the service fails, also where something was read earlier', async () => {
    const failed = problem('unavailable', localized('update.not-ready')).problem
    expect(await runningServers(() => Promise.resolve({ ...answered, value, problem: failed }))).toBeNull()
    expect(await runningServers(() => Promise.resolve({ ...answered, value: null }))).toBeNull()
    expect(await runningServers(() => Promise.reject(new Error('no')))).toBeNull()
  })

  it('is not known where the service does not answer in time', async () => {
    const limit = new AbortController()
    const asked = runningServers(() => new Promise(() => {}), limit.signal)
    limit.abort()
    expect(await asked).toBeNull()
  })
})
