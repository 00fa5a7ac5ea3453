import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { LineBatch, StreamedPiece } from '../../contract/bridge/values.ts'
import { openCache } from '../views/cache/cache.ts'
import { newestLines } from './pager.ts'

const server = { connectionId: 'c', serverId: 's' }
const lines = (epoch: string, firstSeq: number, count: number): LineBatch => ({
  ...{ epoch, firstSeq, sources: {} },
  times: Array.from({ length: count }, () => 0),
  texts: Array.from({ length: count }, (_, at) => `${epoch}-${firstSeq + at}`),
})
const shown = (pieces: readonly StreamedPiece[]) =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'lines') return piece.batch.texts
    return [piece.kind === 'gap' ? `gap ${piece.from} ${piece.to}` : 'passed']
  })

/** What a window gets that has seen `after`, of a console with these lines. */
async function asked(batches: readonly LineBatch[], limit: number, after?: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-again-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  for (const batch of batches) cache.postLines('c', 's', batch)
  return shown(await newestLines(cache, server, limit, after))
}

it('answers a new window with the newest lines, or none where it wants none', async () => {
  expect(await asked([lines('1', 1, 9)], 2)).toEqual(['1-8', '1-9'])
  expect(await asked([lines('1', 1, 9)], 0, '1-3')).toEqual([])
  expect(await asked([], 5, '1-3')).toEqual([])
})

it('answers a window that watches again with all after its last line, also of the next run', async () => {
  expect(await asked([lines('1', 1, 5)], 2, '1-2')).toEqual(['1-3', '1-4', '1-5'])
  expect(await asked([lines('1', 1, 5)], 2, '1-5')).toEqual([])
  expect(await asked([lines('1', 1, 3), lines('2', 1, 2)], 2, '1-2')).toEqual(['1-3', '2-1', '2-2'])
})

it('marks what is missing between', async () => {
  expect(await asked([lines('1', 1, 2), lines('1', 6, 2)], 9, '1-2')).toEqual(['gap 1-3 1-5', '1-6', '1-7'])
})

it('begins anew where too many were missed, or the last line is not known any more', async () => {
  expect(await asked([lines('1', 1, 30)], 2, '1-2')).toEqual(['passed', '1-29', '1-30'])
  expect(await asked([lines('1', 1, 3)], 2, 'gone-7')).toEqual(['passed', '1-2', '1-3'])
})
