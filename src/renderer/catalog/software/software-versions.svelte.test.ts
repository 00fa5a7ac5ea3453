import { describe, expect, it } from 'vitest'
import type { SoftwareVersion } from '../../../contract/bridge/values.ts'
import { hasUsual, recommended, versionWord } from './software-versions.ts'

const snapshot: SoftwareVersion = { id: '26w14a', channel: 'snapshot' }
const beta: SoftwareVersion = { id: '1.22', channel: { kind: 'unknown', raw: 'beta' } }
const release: SoftwareVersion = { id: '1.21', channel: 'release' }
const plain: SoftwareVersion = { id: '1.20' }

describe('the version to begin with', () => {
  it.each([
    ['the recommended one', [snapshot, release, { ...plain, recommended: true }], '1.20'],
    ['the first release', [snapshot, beta, release, plain], '1.21'],
    ['the first of which nothing else is told', [snapshot, plain, release], '1.20'],
    ['the first, where none is a release', [snapshot, beta], '26w14a'],
  ])('is %s', (_what, versions, id) => {
    expect(recommended(versions)?.id).toBe(id)
  })

  it('is none where there is none', () => {
    expect(recommended([])).toBeNull()
  })
})

it('a version says how far its makers stand behind it, also in words this panel does not know', () => {
  expect([snapshot, beta, release, plain].map((one) => versionWord(one))).toEqual([
    '26w14a (snapshot)',
    '1.22 (beta)',
    '1.21',
    '1.20',
  ])
})

it('of what this panel does not know nothing is hidden', () => {
  expect(hasUsual({ versions: [snapshot] })).toBe(false)
  expect(hasUsual({ versions: [snapshot, beta] })).toBe(true)
})
