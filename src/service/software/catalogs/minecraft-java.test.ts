import { expect, test } from 'vitest'
import { javaByTable } from './minecraft-java.ts'

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
] as const)('where no catalog tells, %s wants Java %i', ([version, java]) => {
  expect(javaByTable(version)).toBe(java)
})
