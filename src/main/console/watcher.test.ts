import { expect, it } from 'vitest'
import type { Events } from '../../contract/bridge/events.ts'
import type { ConsolePiece, StreamedPiece } from '../../contract/bridge/values.ts'
import type { WindowLink } from '../base/windows.ts'
import { FloodedWindows, Watcher } from './watcher.ts'

const server = { connectionId: 'c', serverId: 's' }

const lines = (first: number, count: number, epoch = '1'): ConsolePiece => ({
  kind: 'lines',
  batch: {
    ...{ epoch, firstSeq: first },
    times: Array.from({ length: count }, () => 0),
    texts: Array.from({ length: count }, (_, at) => String(first + at)),
    sources: {},
  },
})
const texts = (pieces: readonly StreamedPiece[]) =>
  pieces.flatMap((piece) =>
    piece.kind === 'lines'
      ? piece.batch.texts
      : [piece.kind === 'gap' ? 'gap' : `passed ${piece.count} to ${piece.to}`],
  )
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at))

/** A window whose fullness the test decides, and what tells when it was sent something that is. */
function testWindow() {
  const seen: string[] = []
  let full = 0
  let check: () => void = () => {}
  const link: WindowLink = {
    send: (_event, value) => {
      seen.push(...texts((value as Events['console']).pieces))
      check()
    },
    pressure: () => full,
  }
  return {
    link,
    seen,
    fill: (bytes: number) => void (full = bytes),
    until: (last: string) =>
      new Promise<void>((resolve) => {
        check = () => seen.at(-1) === last && resolve()
        check()
      }),
  }
}

/** A watcher that is sent what comes, and a clock that stands still. */
function watching(crowd = new FloodedWindows(), clock = { now: 1000 }) {
  const window = testWindow()
  const watcher = new Watcher(window.link, server, crowd, () => clock.now)
  watcher.primed([])
  return { window, watcher, clock }
}

it('adds to the first answer what arrived while it was put together, once', () => {
  const window = testWindow()
  const watcher = new Watcher(window.link, server)
  watcher.take(lines(8, 5))
  expect(texts(watcher.primed([lines(1, 10)]))).toEqual(numbers(1, 12))
  watcher.take(lines(12, 2))
  expect(window.seen).toEqual(['13'])
})

it('sends lines as they come, however many come in one piece', () => {
  const { window, watcher } = watching()
  watcher.take(lines(1, 5000))
  expect(window.seen).toEqual(numbers(1, 5000))
})

it('gathers lines that rush by, and sends all of them while a window can show them', async () => {
  const { window, watcher } = watching()
  for (let first = 1; first <= 2901; first += 100) watcher.take(lines(first, 100))
  expect(window.seen).toEqual(numbers(1, 1000))
  await window.until('3000')
  expect(window.seen).toEqual(numbers(1, 3000))
  // It rushes on: what comes next gathers too.
  watcher.take(lines(3001, 10))
  expect(window.seen).toHaveLength(3000)
  await window.until('3010')
})

it('of lines that rush by faster than anybody could see sends the end, and says how many it passed over', async () => {
  const { window, watcher } = watching()
  for (let first = 1; first <= 99_001; first += 1000) watcher.take(lines(first, 1000))
  await window.until('100000')
  const [sent, passed, ...end] = [window.seen.slice(0, 1000), ...window.seen.slice(1000)]
  expect(sent).toEqual(numbers(1, 1000))
  const [, count, to] = /^passed (\d+) to 1-(\d+)$/.exec(passed as string) ?? []
  expect(Number(count) + 1000).toBe(Number(to))
  expect(end).toEqual(numbers(Number(to) + 1, 100_000))
  expect(end.length).toBeLessThanOrEqual(2000)
})

it('once they come slowly again, each line is sent as it comes', async () => {
  const { window, watcher, clock } = watching()
  for (let first = 1; first <= 1901; first += 100) watcher.take(lines(first, 100))
  await window.until('2000')
  clock.now += 1000
  watcher.take(lines(2001, 1))
  await window.until('2001')
  clock.now += 1000
  watcher.take(lines(2002, 1))
  expect(window.seen.at(-1)).toBe('2002')
})

it('sends a clogged window nothing until it has drained, and then the newest lines', async () => {
  const { window, watcher } = watching()
  watcher.take(lines(1, 10))
  window.fill(8 * 1024 * 1024)
  for (let first = 11; first <= 9001; first += 10) watcher.take(lines(first, 10))
  watcher.take({ kind: 'gap', from: '1-9011', to: '1-9012' })
  watcher.take(lines(9013, 2, '1'))
  expect(window.seen).toEqual(numbers(1, 10))
  window.fill(0)
  await window.until('9014')
  const [passed, ...end] = window.seen.slice(10)
  const to = Number(/ to 1-(\d+)$/.exec(passed!)?.[1])
  expect(passed).toBe(`passed ${to - 10} to 1-${to}`)
  expect(end).toEqual([...numbers(to + 1, 9010), 'gap', '9013', '9014'])
})

it('passes over an epoch that ended meanwhile as well', async () => {
  const { window, watcher } = watching()
  window.fill(8 * 1024 * 1024)
  for (let first = 1; first <= 1901; first += 100) watcher.take(lines(first, 100, '1'))
  for (let first = 1; first <= 1901; first += 100) watcher.take(lines(first, 100, '2'))
  window.fill(0)
  await window.until('2000')
  expect(window.seen[0]).toMatch(/^passed \d+ to 2-\d+$/)
  expect(window.seen.slice(1)).toEqual(numbers(2001 - (window.seen.length - 1), 2000))
})

/** So many windows to which lines come that nobody can read, and what sends the next thirty to each. */
function rushing(windows: number) {
  const crowd = new FloodedWindows()
  const clock = { now: 1000 }
  const all = Array.from({ length: windows }, () => watching(crowd, clock))
  let next = 1
  const send = () => {
    for (const { watcher } of all) watcher.take(lines(next, 30))
    next += 30
  }
  return { crowd, clock, all, send }
}

it('sends each window what rushes by as it comes, where somebody may look at all of them', () => {
  const { all, send } = rushing(3)
  for (let times = 0; times < 10; times++) send()
  for (const { window } of all) expect(window.seen).toEqual(numbers(1, 300))
})

it('in more windows than anybody reads, gathers what rushes by, and sends as much as can be shown', async () => {
  const { all, send } = rushing(4)
  for (let times = 0; times < 20; times++) send()
  const last = all.at(-1)!.window
  expect(last.seen).toEqual([])
  await Promise.all(all.map(({ window }) => window.until('600')))
  expect(last.seen).toEqual(numbers(1, 600))
  for (let times = 0; times < 20; times++) send()
  await Promise.all(all.map(({ window }) => window.until('1200')))
  const [passed, ...end] = last.seen.slice(600)
  const [, count, to] = /^passed (\d+) to 1-(\d+)$/.exec(passed!) ?? []
  expect(Number(count) + 600).toBe(Number(to))
  expect(end).toEqual(numbers(Number(to) + 1, 1200))
  expect(end.length).toBeLessThanOrEqual(400)
})

it('sends all of what comes once, after a pause, also in many windows', async () => {
  const crowd = new FloodedWindows()
  const clock = { now: 1000 }
  const all = Array.from({ length: 5 }, () => watching(crowd, clock))
  for (const { watcher } of all) watcher.take(lines(1, 600))
  await Promise.all(all.map(({ window }) => window.until('600')))
  for (const { window } of all) expect(window.seen).toEqual(numbers(1, 600))
})

it('sends lines that can be read as they come, in however many other windows they rush by', () => {
  const { crowd, clock, send } = rushing(5)
  send()
  const { window, watcher } = watching(crowd, clock)
  watcher.take(lines(1, 20))
  expect(window.seen).toEqual(numbers(1, 20))
})

it('counts a window to the crowd no more once it was left, or nothing comes there any more', () => {
  const left = rushing(4)
  left.send()
  left.all[3]!.watcher.end()
  left.all[0]!.watcher.take(lines(31, 30))
  expect(left.all[0]!.window.seen.at(-1)).toBe('60')
  const quiet = rushing(4)
  quiet.send()
  quiet.clock.now += 5000
  quiet.all[0]!.watcher.take(lines(31, 30))
  expect(quiet.all[0]!.window.seen.at(-1)).toBe('60')
})

it('sends nothing after it ended, also of what had gathered', async () => {
  const { window, watcher } = watching()
  window.fill(8 * 1024 * 1024)
  watcher.take(lines(1, 3))
  watcher.end()
  window.fill(0)
  watcher.take(lines(4, 3))
  watcher.state('offline')
  const other = watching()
  other.watcher.take(lines(1, 999))
  other.watcher.take(lines(1000, 999))
  await other.window.until('1998')
  expect(window.seen).toEqual([])
})
