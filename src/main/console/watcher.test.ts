import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Events } from '../../contract/bridge/events.ts'
import type { ConsolePiece, LineBatch } from '../../contract/bridge/values.ts'
import { openCache, type Cache } from '../cache/cache.ts'
import type { WindowLink } from '../window-link.ts'
import { Watcher } from './watcher.ts'

let folder: string
let cache: Cache
const server = { connectionId: 'c', serverId: 's' }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watcher-'))
  cache = await openCache(join(folder, 'cache.db'))
})
afterEach(async () => {
  await cache.close()
  await rm(folder, { recursive: true })
})

const batch = (first: number, count: number): LineBatch => ({
  epoch: '1',
  firstSeq: first,
  times: Array.from({ length: count }, () => 0),
  texts: Array.from({ length: count }, (_, at) => String(first + at)),
  sources: {},
})
const lines = (first: number, count: number): ConsolePiece => ({ kind: 'lines', batch: batch(first, count) })
const texts = (pieces: ConsolePiece[]) =>
  pieces.flatMap((piece) => (piece.kind === 'lines' ? piece.batch.texts : ['gap']))
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at))

/** A window whose fullness the test decides, and that tells when it holds `count` lines. */
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
    holding: (count: number) =>
      new Promise<void>((resolve) => {
        check = () => seen.length >= count && resolve()
        check()
      }),
  }
}

it('adds to the first answer what arrived while it was put together, once', () => {
  const window = testWindow()
  const watcher = new Watcher(window.link, server, cache)
  watcher.take(lines(8, 5))
  expect(texts(watcher.primed([lines(1, 10)]))).toEqual(numbers(1, 12))
  watcher.take(lines(12, 2))
  expect(window.seen).toEqual(['13'])
})

it('sends a clogged window nothing, and everything in order once it has drained', async () => {
  const window = testWindow()
  const watcher = new Watcher(window.link, server, cache)
  watcher.primed([])
  const arrive = (first: number, count: number) => {
    cache.postLines('c', 's', batch(first, count))
    watcher.take(lines(first, count))
  }
  arrive(1, 10)
  window.fill(8 * 1024 * 1024)
  for (let first = 11; first <= 9001; first += 10) arrive(first, 10)
  expect(window.seen).toEqual(numbers(1, 10))
  window.fill(0)
  await window.holding(9010)
  arrive(9011, 10)
  await window.holding(9020)
  expect(window.seen).toEqual(numbers(1, 9020))
})

it('sends nothing after it ended', () => {
  const window = testWindow()
  const watcher = new Watcher(window.link, server, cache)
  watcher.primed([])
  watcher.end()
  watcher.take(lines(1, 3))
  watcher.state('offline')
  expect(window.seen).toEqual([])
})
