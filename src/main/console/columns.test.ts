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

it('keeps the sentences of the service’s own lines, within bounds, and of no others', () => {
  const told = (sentences: unknown, source = 'service') =>
    toBatches([line('7-1', { source, sentences })]).batches[0]!.sources[0]
  const values = { software: 'Paper', version: '1.21' }
  const key = 'refused.console.starting'
  expect(told([{ sentence: 'console.starting', values }])).toEqual([{ key, values }])
  expect(told([{ sentence: 'console.stopped' }])).toEqual([{ key: 'refused.console.stopped' }])
  expect(told([{ sentence: 'console.stopped' }], 'command')).toBe('command')
  const tooMany = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`v${at}`, at]))
  for (const bad of [
    'x',
    [],
    [null],
    Array(5).fill({ sentence: 'console.stopped' }),
    [{ sentence: 'x'.repeat(101) }],
    [{ sentence: 'x', values: { a: 'x'.repeat(2001) } }],
    [{ sentence: 'x', values: { a: {} } }],
    [{ sentence: 'x', values: tooMany }],
  ])
    expect(told(bad)).toBe('service')
  const foreign = toColumns([line('x', { source: 'service', sentences: [{ sentence: 'console.stopped' }] })])
  expect(foreign).toMatchObject({ lines: [{ source: [{ key: 'refused.console.stopped' }] }] })
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
