import { expect, test } from 'vitest'
import { channelOf, compareVersions } from './version-order.ts'

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

test('only numbers and dots are a release, whatever they begin with', () => {
  expect(['26.1', '1.21.11', '27.1.3'].map(channelOf)).toEqual(['release', 'release', 'release'])
  expect(['25w14craftmine', '26.1-snapshot-1', '1.21-rc1', '26'].map(channelOf)).toEqual(
    Array(4).fill('snapshot'),
  )
})
