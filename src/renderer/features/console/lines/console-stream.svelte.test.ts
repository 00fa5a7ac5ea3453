import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { CallInput, CallName, CallOutput } from '../../../../contract/bridge/calls.ts'
import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { parseLineId } from '../../../../contract/rules/line-ids.ts'
import type { Outcome } from '../../../../contract/bridge/problem.ts'
import { ConsoleStream } from './console-stream.ts'
import { FixtureMain, idsOf } from '../main.fixture.ts'

const server = { connectionId: 'c', serverId: 's' }
const lines = (firstSeq: number, count: number, epoch = '1'): ConsolePiece => ({
  kind: 'lines',
  batch: { epoch, firstSeq, times: [], texts: Array.from({ length: count }, () => 'x'), sources: {} },
})

/** A main of a service that answers a question for what comes after a line as the test says, and never says that that was all. */
class PagingMain extends FixtureMain {
  after: (seq: number) => ConsolePiece[] = () => []

  override async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    const asked = input as CallInput<'console.page'>
    if (name !== 'console.page' || !asked.after) return super.call(name, input)
    await Promise.resolve()
    this.pages.push(asked)
    const pieces = this.after(parseLineId(asked.after)!.seq)
    return { ok: true, value: { pieces, end: false } as CallOutput<N> }
  }
}

let main: PagingMain
let seen: string[]
beforeEach(() => {
  main = new PagingMain(server)
  window.panel = main
  seen = []
  main.store(lines(1, 2))
})

/** A stream that has shown the first lines. */
async function open(): Promise<void> {
  const stream = new ConsoleStream(server, {
    pieces: (pieces) => seen.push(...idsOf(pieces)),
    cut: (passed) => seen.push(passed > 0 ? `cut ${passed}` : 'cut'),
    state: () => undefined,
    history: () => undefined,
    problem: () => undefined,
  })
  stream.start()
  onTestFinished(() => stream.stop())
  await expect.poll(() => seen).toEqual(['1-1', '1-2'])
}

it('stops filling a hole where a service gives the same lines again, and shows what came', async () => {
  main.after = () => [lines(1, 2)]
  await open()
  main.tell(lines(9000, 1))
  await expect.poll(() => seen).toEqual(['1-1', '1-2', 'cut', '1-9000'])
  expect(main.pages).toHaveLength(1)
})

it('fills a hole with 20 pages at most where a service gives a line at a time, and leaves the rest to paging', async () => {
  main.after = (seq) => [lines(seq + 1, 1)]
  await open()
  main.tell(lines(9000, 1))
  const filled = Array.from({ length: 20 }, (_, at) => `1-${at + 3}`)
  await expect.poll(() => seen).toEqual(['1-1', '1-2', ...filled, 'cut', '1-9000'])
  expect(main.pages).toHaveLength(20)
})

it('cuts where lines were passed over, and writes nothing that came right before', async () => {
  await open()
  main.tell(lines(3, 5), { kind: 'passed', to: '1-907', count: 900 }, lines(908, 1))
  main.tell(lines(909, 1))
  await expect.poll(() => seen).toEqual(['1-1', '1-2', 'cut 905', '1-908', '1-909'])
  expect(main.pages).toEqual([])
})

it('cuts where lines were passed over while a hole was being filled', async () => {
  let answer: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (answer = resolve))
  main.after = () => [lines(3, 7)]
  const call = main.call.bind(main)
  main.call = async (name, input) => {
    if (name === 'console.page') await asked
    return call(name, input)
  }
  await open()
  main.tell(lines(10, 1))
  main.tell({ kind: 'passed', to: '1-60000', count: 59_990 }, lines(60_001, 1))
  answer()
  await expect.poll(() => seen.at(-1)).toBe('1-60001')
  expect(seen.filter((one) => one.startsWith('cut'))).toEqual(['cut 59990'])
})

it('asks no more than 20 times of a service that gives two pages in turn', async () => {
  main.after = (seq) => [lines(seq === 2 ? 5 : 2, 1)]
  await open()
  main.tell(lines(9000, 1))
  await expect.poll(() => seen.at(-1)).toBe('1-9000')
  expect(main.pages).toHaveLength(20)
})

it('shows lines after gaps that name no line of the console', async () => {
  await open()
  for (const to of ['xx-5', '1-900', null]) main.tell({ kind: 'gap', from: null, to })
  main.tell(lines(3, 1))
  await expect
    .poll(() => seen)
    .toEqual(['1-1', '1-2', 'gap null..xx-5', 'gap 1-3..1-900', 'gap null..null', '1-3'])
  expect(main.pages).toEqual([])
})
