import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FolderInvalidation } from './invalidate-folders.ts'
import type { TransferRow } from './store/rows.ts'

const row = (kind: TransferRow['kind'], serverId = 's') =>
  ({ kind, connectionId: 'c', serverId }) as TransferRow

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells once of a crowd, at once of the last file, and nothing of a download', () => {
  const told: string[] = []
  const files = new FolderInvalidation(({ serverId }) => told.push(serverId))
  for (let file = 0; file < 100; file++) files.landed(row('upload'), false)
  files.landed(row('download', 'other'), true)
  expect(told).toEqual([])
  vi.runAllTimers()
  expect(told).toEqual(['s'])
  files.landed(row('upload'), false)
  files.landed(row('upload'), true)
  vi.runAllTimers()
  expect(told).toEqual(['s', 's'])
})

it('tells nothing any more once it is closed', () => {
  const told: string[] = []
  const files = new FolderInvalidation(({ serverId }) => told.push(serverId))
  files.landed(row('upload'), false)
  files.close()
  vi.runAllTimers()
  expect(told).toEqual([])
})
