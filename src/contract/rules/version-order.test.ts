import { expect, test } from 'vitest'
import { compareVersions, isOlderVersion } from './version-order.ts'

test('versions are ordered by their numbers, and what leads to a release comes before it', () => {
  const inOrder = [
    'b1.8',
    '1.7.10-pre4',
    '1.7.10',
    '1.9.4',
    '1.10',
    '1.21',
    '1.21.1',
    '1.21.9-pre1',
    '1.21.9-pre2',
    '1.21.9-pre10',
    '1.21.9-rc1',
    '1.21.9',
    '1.21.11',
    '26.1-snapshot-2',
    '26.1-snapshot-11',
    '26.1-pre-1',
    '26.1-rc-1',
    '26.1',
    '26.1.1',
    '26.2',
  ]
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder)
  const builds = ['0.12.0', '0.16.9', '0.16.14', '0.30.0-beta.2', '0.30.0-beta.10', '0.30.0']
  expect(builds.toReversed().sort(compareVersions)).toEqual(builds)
})

test('only what begins with the numbers of a release is called older', () => {
  for (const [one, other] of [
    ['1.20.9', '1.20.10'],
    ['1.20', '1.20.4'],
    ['1.21.11', '26.1'],
    ['1.21-pre1', '1.21'],
  ] as const) {
    expect([one, isOlderVersion(one, other), isOlderVersion(other, one)]).toEqual([one, true, false])
    expect(isOlderVersion(one, one)).toBe(false)
  }
  for (const none of ['24w10a', 'unknown', '', null]) expect(isOlderVersion(none, '1.20')).toBe(false)
  expect(isOlderVersion('1.20', '24w10a')).toBe(false)
})
