import { expect, test } from 'vitest'
import { channelOf } from './kind-catalog.ts'

test('only numbers and dots are a release, whatever they begin with', () => {
  expect(['26.1', '1.21.11', '27.1.3'].map(channelOf)).toEqual(['release', 'release', 'release'])
  expect(['25w14craftmine', '26.1-snapshot-1', '1.21-rc1', '26'].map(channelOf)).toEqual(
    Array(4).fill('snapshot'),
  )
})
