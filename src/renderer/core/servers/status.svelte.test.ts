import { describe, expect, it } from 'vitest'
import { installWord, statusKind, statusWord } from './status.ts'

describe('how far an installation is', () => {
  it.each([
    ['nothing where nobody tells', {}, ''],
    ['nothing where only the step is told', { step: 'java' }, ''],
    ['nothing of nothing', { done: 0, total: 0 }, ''],
    ['the bytes so far where nobody knows how many there will be', { done: 1024 }, '1 kB'],
    ['a percentage', { done: 512, total: 1024 }, '50%'],
    ['nothing rounded up', { done: 999, total: 1000 }, '99%'],
    ['all of it', { done: 1000, total: 1000 }, '100%'],
    ['no more than all of it', { done: 2000, total: 1000 }, '100%'],
    ['what is null as what is absent', { step: null, done: null, total: null }, ''],
  ] as const)('is %s', (_what, installation, word) => {
    expect(installWord(installation)).toBe(word)
  })
})

describe('a state that only hosts have', () => {
  it.each([
    ['saving', 'stopping', 'Saving'],
    ['waiting', 'starting', 'Waiting for a machine'],
    ['suspended', 'unknown', 'suspended'],
    ['constructor', 'unknown', 'constructor'],
  ])('%s is like %s, and called %s', (raw, kind, word) => {
    const status = { kind: 'unknown', raw } as const
    expect([statusKind(status), statusWord(status)]).toEqual([kind, word])
  })
})
