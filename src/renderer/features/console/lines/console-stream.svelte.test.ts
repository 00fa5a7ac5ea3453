import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { ConsoleStream } from './console-stream.ts'
import { FixtureMain, idsOf } from '../main.fixture.ts'

const server = { connectionId: 'c', serverId: 's' }
const lines = (firstSeq: number, count: number, epoch = '1'): ConsolePiece => ({
  kind: 'lines',
  batch: { epoch, firstSeq, times: [], texts: Array.from({ length: count }, () => 'x'), sources: {} },
})

let main: FixtureMain
let seen: string[]
beforeEach(() => {
  main = new FixtureMain(server)
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

it('cuts where lines were passed over, and writes nothing that came right before', async () => {
  await open()
  main.tell(lines(3, 5), { kind: 'passed', to: '1-907', count: 900 }, lines(908, 1))
  main.tell(lines(909, 1))
  await expect.poll(() => seen).toEqual(['1-1', '1-2', 'cut 905', '1-908', '1-909'])
})

it('goes on after the last line when it watches again, without a gap mark shown before', async () => {
  await open()
  const gap: ConsolePiece = { kind: 'gap', from: '1-3', to: '1-8' }
  main.stream(gap)
  main.reach(false)
  main.store(lines(9, 1))
  main.reach(true)
  await expect.poll(() => seen).toEqual(['1-1', '1-2', 'gap 1-3..1-8', '1-9'])
})

it('ignores what an earlier watch still sends', async () => {
  await open()
  main.reach(false)
  main.store(lines(3, 2))
  main.reach(true)
  main.emit('console', { ...server, watch: main.watch, pieces: [lines(3, 1)] })
  await expect.poll(() => seen).toEqual(['1-1', '1-2', '1-3', '1-4'])
})
