import { expect, it } from 'vitest'
import { withoutSeen, toColumns } from './columns.ts'

/** Of lines whose ids are the contract's. */
function toBatches(lines: readonly unknown[]) {
  const columns = toColumns(lines)
  if (columns.kind !== 'counted') throw new Error('These ids do not count.')
  return columns
}

const line = (id: string, more: object = {}) => ({ id, text: id, time: '2026-11-20T12:00:00.000Z', ...more })

it('joins consecutive ids into one batch, with times and sources', () => {
  const { batches } = toBatches([line('7-1'), line('7-2', { source: 'error' }), line('7-3', { time: null })])
  const time = Date.parse('2026-11-20T12:00:00.000Z')
  expect(batches).toEqual([
    {
      epoch: '7',
      firstSeq: 1,
      times: [time, time, 0],
      texts: ['7-1', '7-2', '7-3'],
      sources: { 1: 'error' },
    },
  ])
})

it('begins a new batch at a hole and at a new epoch', () => {
  const { batches } = toBatches([line('7-1'), line('7-5'), line('8-6')])
  expect(batches.map(({ epoch, firstSeq }) => `${epoch}-${firstSeq}`)).toEqual(['7-1', '7-5', '8-6'])
})

it('counts what is no line and goes on with the rest', () => {
  const { batches, leftOut } = toBatches([null, line('7-1'), { id: '7-2' }, 7, line('7-2')])
  expect(leftOut).toBe(3)
  expect(batches.flatMap((batch) => batch.texts)).toEqual(['7-1', '7-2'])
})

it('takes an epoch with a dash in it', () => {
  expect(toBatches([line('a-b-12')]).batches[0]).toMatchObject({ epoch: 'a-b', firstSeq: 12 })
})

it('drops what was seen, and keeps sources at their lines', () => {
  const [batch] = toBatches([line('7-1'), line('7-2'), line('7-3', { source: 'command' })]).batches
  expect(withoutSeen(batch!, 2)).toEqual({
    epoch: '7',
    firstSeq: 3,
    times: [batch!.times[2]],
    texts: ['7-3'],
    sources: { 0: 'command' },
  })
  expect(withoutSeen(batch!, 3)).toBeNull()
  expect(withoutSeen(batch!, 0)).toBe(batch)
})
