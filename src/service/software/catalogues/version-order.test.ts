import { expect, test } from 'vitest'
import { javaByTable } from './minecraft-java.ts'
import { changesOf, fileName } from './shapes.ts'
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

test.for([
  ['1.2.5', 8],
  ['1.16.5', 8],
  ['1.17', 16],
  ['1.17.1', 16],
  ['1.18', 17],
  ['1.20.4', 17],
  ['1.20.5-pre1', 21],
  ['1.20.5', 21],
  ['1.21.11', 21],
  ['26.1-snapshot-1', 25],
  ['26.1', 25],
  ['27.1', 25],
  ['20w45a', 8],
  ['21w19a', 16],
  ['21w44a', 17],
  ['24w14a', 21],
  ['25w14craftmine', 21],
  ['3D Shareware v1.34', 8],
] as const)('where no catalogue tells, %s wants Java %i', ([version, java]) => {
  expect(javaByTable(version)).toBe(java)
})

test('names of files are no paths, and hold nothing that a system or Paper refuses', () => {
  expect(fileName('paper-1.21.11-129.jar')).toBe('paper-1.21.11-129.jar')
  expect(fileName('..\\..\\../evil+!.jar')).toBe('evil__.jar')
  expect(fileName('.hidden')).toBe('hidden')
  expect(fileName('..')).toBe('server.jar')
  expect(fileName('a'.repeat(500) + '.jar')).toHaveLength(120)
})

test('of changes only so many are told, one line each', () => {
  const told = changesOf(Array.from({ length: 200 }, () => `\n  ${'x'.repeat(500)}\nmore`))
  expect(told).toHaveLength(50)
  expect(told[0]).toBe('x'.repeat(200))
})
