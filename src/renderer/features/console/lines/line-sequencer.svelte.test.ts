import { describe, expect, it } from 'vitest'
import type { ConsolePiece, StreamedPiece } from '../../../../contract/bridge/values.ts'
import { idsOf } from '../main.fixture.ts'
import { LineSequencer } from './line-sequencer.ts'

const lines = (firstSeq: number, count: number, epoch = '1'): ConsolePiece => ({
  kind: 'lines',
  batch: { epoch, firstSeq, times: [], texts: Array.from({ length: count }, () => 'x'), sources: {} },
})

/** What gets through of some pieces, and what is said of those that do not. */
function run(...pieces: StreamedPiece[]): string[] {
  const intake = new LineSequencer()
  return pieces.flatMap((piece) => {
    const taken = intake.take(piece)
    return taken.kind === 'next' ? idsOf([taken.piece]) : [taken.kind]
  })
}

describe('the intake', () => {
  it('lets lines through that go on from the last one', () => {
    expect(run(lines(7, 2), lines(9, 1))).toEqual(['1-7', '1-8', '1-9'])
  })

  it('lets a line through once, however often it comes', () => {
    expect(run(lines(1, 3), lines(1, 3), lines(2, 3), lines(3, 1))).toEqual([
      '1-1',
      '1-2',
      '1-3',
      'seen',
      '1-4',
      'seen',
    ])
  })

  it('tells how many lines are missing, and takes nothing', () => {
    const intake = new LineSequencer()
    intake.take(lines(1, 3))
    expect(intake.take(lines(10, 2))).toEqual({ kind: 'hole', after: { epoch: '1', seq: 3 }, missing: 6 })
    expect(intake.last).toEqual({ epoch: '1', seq: 3 })
  })

  it('goes on behind lines that were passed over, in their epoch or a new one, and takes none of them any more', () => {
    const passed = (to: string): StreamedPiece => ({ kind: 'passed', to, count: 90 })
    expect(run(lines(1, 2), passed('1-92'), lines(93, 1), lines(50, 1))).toEqual([
      ...['1-1', '1-2', 'passed', '1-93', 'seen'],
    ])
    expect(run(lines(1, 1, 'a'), passed('b-90'), lines(91, 1, 'b'), passed('a-7'), passed('b-80'))).toEqual([
      ...['a-1', 'passed', 'b-91', 'seen', 'seen'],
    ])
    expect(run(passed('1-90'), lines(91, 1))).toEqual(['passed', '1-91'])
    // A mark that names no line says nothing.
    expect(run(lines(1, 1), passed('x'), lines(2, 1))).toEqual(['1-1', 'seen', '1-2'])
  })

  it('takes a new epoch from its beginning', () => {
    expect(run(lines(5, 1, 'a'), lines(1, 2, 'b'))).toEqual(['a-5', 'b-1', 'b-2'])
    expect(run(lines(5, 1, 'a'), lines(0, 1, 'b'))).toEqual(['a-5', 'b-0'])
  })

  it('sees a hole where a new epoch does not begin at its beginning', () => {
    expect(run(lines(5, 1, 'a'), lines(4, 2, 'b'))).toEqual(['a-5', 'hole'])
  })

  it('takes nothing of an epoch that is over', () => {
    expect(run(lines(5, 1, 'a'), lines(1, 1, 'b'), lines(6, 2, 'a'))).toEqual(['a-5', 'b-1', 'seen'])
  })

  it('goes on behind a gap, and shows of a gap only what is new', () => {
    expect(run(lines(1, 2), { kind: 'gap', from: '1-2', to: '1-9' }, lines(10, 1))).toEqual([
      '1-1',
      '1-2',
      'gap 1-3..1-9',
      '1-10',
    ])
    expect(run(lines(1, 9), { kind: 'gap', from: '1-2', to: '1-9' })).toHaveLength(10)
  })

  it.each(['xx-5', '1-900', '2-5'])(
    'goes on with the lines that come, whatever a gap up to %s says is missing',
    (to) => {
      const gap: ConsolePiece = { kind: 'gap', from: null, to }
      expect(run(lines(1, 2), gap, gap, lines(3, 1), lines(4, 1))).toEqual([
        ...['1-1', '1-2'],
        ...idsOf([to.startsWith('1-') ? { ...gap, from: '1-3' } : gap]),
        ...['seen', '1-3', '1-4'],
      ])
      expect(run(gap, lines(11, 1))).toEqual([`gap null..${to}`, '1-11'])
    },
  )

  it('goes on behind a gap that leads into a new epoch, and takes nothing of the one before', () => {
    const gap: ConsolePiece = { kind: 'gap', from: '1-3', to: '2-5' }
    expect(run(lines(1, 2), gap, lines(6, 1, '2'), lines(3, 1))).toEqual([
      ...['1-1', '1-2', 'gap 1-3..2-5', '2-6', 'seen'],
    ])
  })

  it('takes the lines of a gap that are there after all, and sees what is missing behind it', () => {
    const gap: ConsolePiece = { kind: 'gap', from: '1-3', to: '1-9' }
    expect(run(lines(1, 2), gap, lines(8, 3))).toEqual([
      ...['1-1', '1-2', 'gap 1-3..1-9', '1-8', '1-9', '1-10'],
    ])
    expect(run(lines(1, 2), gap, lines(12, 1))).toEqual(['1-1', '1-2', 'gap 1-3..1-9', 'hole'])
  })

  it('takes a gap that nobody knows the beginning of', () => {
    expect(run({ kind: 'gap', from: null, to: '1-20' }, lines(21, 1))).toEqual(['gap null..1-20', '1-21'])
  })
})
