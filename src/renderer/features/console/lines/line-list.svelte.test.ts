import { describe, expect, it } from 'vitest'
import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { cutBefore, joinBefore, LineList } from './line-list.ts'

const lines = (firstSeq: number, count: number, epoch = '1'): ConsolePiece => ({
  kind: 'lines',
  batch: {
    epoch,
    firstSeq,
    times: Array.from({ length: count }, (_, at) => firstSeq + at),
    texts: Array.from({ length: count }, (_, at) => `line ${firstSeq + at}`),
    sources: {},
  },
})
const gap = (from: string, to: string): ConsolePiece => ({ kind: 'gap', from, to })
const texts = (pieces: Iterable<ConsolePiece>): string[] =>
  [...pieces].flatMap((piece) =>
    piece.kind === 'lines' ? piece.batch.texts : [`gap ${piece.from}..${piece.to}`],
  )

describe('a list of lines', () => {
  it('gives lines back in order, across the batches they came in', () => {
    const list = new LineList()
    list.push(lines(1, 3))
    list.push(lines(4, 600))
    list.push(gap('1-604', '1-610'))
    list.push(lines(611, 2))
    expect(list.length).toBe(606)
    expect(texts(list.shift(5))).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5'])
    expect(texts(list.pop(4))).toEqual(['line 603', 'gap 1-604..1-610', 'line 611', 'line 612'])
    expect(list.first).toEqual({ epoch: '1', seq: 6 })
    expect(list.last).toEqual({ epoch: '1', seq: 602 })
    expect(list.length).toBe(597)
  })

  it('puts lines that come one by one into one batch, with their sources', () => {
    const list = new LineList()
    for (let seq = 1; seq <= 100; seq++) {
      const piece = lines(seq, 1)
      if (piece.kind === 'lines' && seq === 50) piece.batch.sources[0] = 'error'
      list.push(piece)
    }
    expect([...list.pieces()]).toHaveLength(1)
    expect(list.at(49)).toMatchObject({ kind: 'line', id: { epoch: '1', seq: 50 }, source: 'error' })
    expect(list.at(48)).toMatchObject({ source: undefined })
  })

  it('never writes to a batch that somebody else made', () => {
    const piece = lines(1, 2)
    const list = new LineList()
    list.push(piece)
    list.push(lines(3, 2))
    expect(texts([piece])).toEqual(['line 1', 'line 2'])
  })

  it('takes sources along when a batch is cut', () => {
    const piece = lines(1, 1000)
    if (piece.kind === 'lines') piece.batch.sources = { 2: 'command', 700: 'error' }
    const list = new LineList()
    list.push(piece)
    list.shift(600)
    expect(list.at(100)).toMatchObject({ id: { seq: 701 }, source: 'error' })
    expect(list.at(99)).toMatchObject({ source: undefined })
  })

  it('finds a line by its id, and nothing for one it does not hold', () => {
    const list = new LineList()
    list.push(lines(5, 3, 'a'))
    list.push(lines(1, 3, 'b'))
    list.unshift([gap('a-3', 'a-4')])
    expect(list.indexOf({ epoch: 'b', seq: 2 })).toBe(5)
    expect(list.indexOf({ epoch: 'a', seq: 4 })).toBe(-1)
    expect(list.at(0)).toEqual({ kind: 'gap', from: 'a-3', to: 'a-4' })
    expect(list.at(7)).toBeUndefined()
  })

  it('stays right over many shifts', () => {
    const list = new LineList()
    let next = 1
    for (let seq = 1; seq < 20_000; seq += 7) {
      list.push(lines(seq, 7))
      for (const text of texts(list.shift(seq % 13))) expect(text).toBe(`line ${next++}`)
    }
    expect(list.first).toEqual({ epoch: '1', seq: next })
  })
})

describe('joining pieces to the line after them', () => {
  it('cuts off what the line and those after it repeat', () => {
    expect(texts(joinBefore([lines(1, 5)], { epoch: '1', seq: 4 }))).toEqual(['line 1', 'line 2', 'line 3'])
    expect(cutBefore([lines(4, 2)], { epoch: '1', seq: 4 })).toEqual([])
  })

  it('marks a hole', () => {
    expect(texts(joinBefore([lines(1, 2)], { epoch: '1', seq: 9 }))).toEqual([
      'line 1',
      'line 2',
      'gap 1-3..1-8',
    ])
  })

  it('leaves an earlier epoch as it is', () => {
    expect(texts(joinBefore([lines(7, 2, 'a')], { epoch: 'b', seq: 1 }))).toEqual(['line 7', 'line 8'])
  })
})
