import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConsoleLog } from './console-log.ts'
import type { ConsoleLimits } from './console-log.ts'
import type { Cursor } from './cursor.ts'
import { linesAfter, linesBefore } from './history.ts'
import { positionOf } from './line-id.ts'

const small: Partial<ConsoleLimits> = {
  ringLines: 20,
  ringBytes: 1 << 20,
  blockBytes: 600,
  fileBytes: 4_000,
  totalBytes: 1 << 20,
}

let folder: string
const open: ConsoleLog[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-console-'))
})

afterEach(async () => {
  for (const log of open.splice(0)) await log.close()
  await rm(folder, { recursive: true, force: true })
})

function make(epoch: number, limits: Partial<ConsoleLimits> = small): ConsoleLog {
  const log = new ConsoleLog(join(folder, 'log'), epoch, limits)
  open.push(log)
  return log
}

/** Appends numbered lines a few at a time, each time waiting for the disk. */
async function fill(log: ConsoleLog, count: number, from = 1): Promise<void> {
  for (let at = 0; at < count; at += 7) {
    log.append(Array.from({ length: Math.min(7, count - at) }, (_, i) => `line ${from + at + i}`))
    await log.written()
  }
}

/** Everything a cursor gives now: texts, and gaps as `gap from..to`. */
async function drain(cursor: Cursor, step = 9): Promise<string[]> {
  const seen: string[] = []
  for (;;) {
    const piece = await cursor.read(step)
    if (!piece) return seen
    if (piece.kind === 'gap') seen.push(`gap ${piece.from}..${piece.to}`)
    else
      seen.push(...(JSON.parse(`[${piece.bytes.toString()}]`) as { text: string }[]).map((line) => line.text))
  }
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`)

describe('reading on', () => {
  test('a line carries its id, its time and where it came from', async () => {
    const log = make(3)
    expect(log.append(['said "x"\u001b[0m \u2028'], 'command')).toEqual({ epoch: 3, seq: 1 })
    const { items } = await linesAfter(log, { epoch: 3, seq: 0 }, 10)
    expect(items).toEqual([
      {
        id: '3-1',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        text: 'said "x"\u001b[0m \u2028',
        source: 'command',
      },
    ])
  })

  test('from any line on, every later line comes once and in order: from memory, from disk, and across both', async () => {
    const log = make(1)
    await fill(log, 300)
    for (let after = 0; after <= 300; after += 13)
      expect(await drain(log.cursor({ epoch: 1, seq: after }))).toEqual(numbered(after + 1, 300))
  })

  test('a cursor without a place begins with the next line', async () => {
    const log = make(1)
    await fill(log, 10)
    const cursor = log.cursor()
    expect(await drain(cursor)).toEqual([])
    await fill(log, 3, 11)
    expect(await drain(cursor)).toEqual(numbered(11, 13))
  })

  test('a reader that reads while lines arrive loses none', async () => {
    const log = make(1)
    const cursor = log.cursor({ epoch: 1, seq: 0 })
    const seen: string[] = []
    const writing = fill(log, 2_000)
    let done = false
    void writing.then(() => (done = true))
    while (!done || cursor.ready) {
      seen.push(...(await drain(cursor, 1 + (seen.length % 40))))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(seen).toEqual(numbered(1, 2_000))
  })

  test('goes on from an earlier epoch into this one', async () => {
    const first = make(1)
    await fill(first, 100)
    await first.close()
    const third = make(3)
    await fill(third, 50, 101)
    expect(await drain(third.cursor({ epoch: 1, seq: 40 }))).toEqual(numbered(41, 150))
    expect(await drain(third.cursor({ epoch: 1, seq: 100 }))).toEqual(numbered(101, 150))
  })

  test('a torn last line of a service that died is left out', async () => {
    const first = make(1, { ...small, fileBytes: 1 << 20 })
    await fill(first, 10)
    await first.close()
    await writeFile(join(folder, 'log', '1-1.log'), '{"id":"1-11","ti', { flag: 'a' })
    const second = make(2)
    await fill(second, 5, 11)
    expect(await drain(second.cursor({ epoch: 1, seq: 8 }))).toEqual(numbered(9, 15))
  })
})

describe('what is gone', () => {
  const tight = { ...small, totalBytes: 12_000 }

  test('lines that were rotated away are told as one gap, with the first and the last of them', async () => {
    const log = make(1, tight)
    await fill(log, 600)
    const [gap, ...lines] = await drain(log.cursor({ epoch: 1, seq: 5 }))
    const first = Number(/gap 1-6\.\.1-(\d+)/.exec(gap!)![1]) + 1
    expect(first).toBeGreaterThan(400)
    expect(lines).toEqual(numbered(first, 600))
    await log.close()
    const sizes = await readdir(join(folder, 'log'))
    expect(sizes.length).toBeLessThan(6)
  })

  test('an epoch that is gone altogether still has a known end: nothing is told missing beyond it', async () => {
    const first = make(1, tight)
    await fill(first, 30)
    await first.close()
    const second = make(2, tight)
    await fill(second, 600, 31)
    const [gap] = await drain(second.cursor({ epoch: 1, seq: 10 }))
    expect(gap).toMatch(/^gap 1-11\.\.2-\d+$/)
    expect((await drain(second.cursor({ epoch: 1, seq: 30 })))[0]).toMatch(/^gap 2-1\.\.2-\d+$/)
    await second.close()
    const third = make(3, small)
    await fill(third, 5, 631)
    expect((await drain(third.cursor({ epoch: 2, seq: 600 })))[0]).toBe('line 631')
  })

  test('a reader that is overtaken is told what it missed, and goes on', async () => {
    const log = make(1, tight)
    const cursor = log.cursor()
    await fill(log, 20)
    const seen = await drain(cursor)
    await fill(log, 600, 21)
    seen.push(...(await drain(cursor)))
    const at = seen.findIndex((entry) => entry.startsWith('gap'))
    const [, from, to] = /gap 1-(\d+)\.\.1-(\d+)/.exec(seen[at]!)!
    expect(seen.slice(0, at)).toEqual(numbered(1, Number(from) - 1))
    expect(seen.slice(at + 1)).toEqual(numbered(Number(to) + 1, 620))
  })

  test('an id that was never given out is a gap from nobody knows where, and then comes what is new', async () => {
    const log = make(2)
    await fill(log, 10)
    for (const position of [
      { epoch: 2, seq: 11 },
      { epoch: 7, seq: 1 },
    ]) {
      const cursor = log.cursor(position)
      expect(await drain(cursor)).toEqual(['gap null..2-10'])
    }
    expect(await drain(log.cursor({ epoch: 2, seq: 10 }))).toEqual([])
  })

  test('what comes right after other lines is written a moment later, with all that came meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const turns = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    const stored = async () => {
      const text = await readFile(join(folder, 'log', '1-1.log'), 'utf8')
      return text.match(/"line \d+"/g)
    }
    const log = new ConsoleLog(join(folder, 'log'), 1, small, { now: () => 1, elapsed: () => 1 })
    open.push(log)
    log.append(['line 1'])
    await log.written()
    log.append(['line 2'])
    await turns()
    log.append(['line 3'])
    await turns()
    expect(await stored()).toEqual(['"line 1"'])
    vi.advanceTimersByTime(20)
    await log.written()
    expect(await stored()).toEqual(['"line 1"', '"line 2"', '"line 3"'])
  })

  test('a clock that is set back does not keep the console from its file', async () => {
    await writeFile(join(folder, 'log'), 'a file where the folder should be')
    let [now, elapsed] = [Date.UTC(2026, 10, 22), 0]
    const clock = { now: () => now, elapsed: () => elapsed }
    const log = new ConsoleLog(join(folder, 'log'), 1, small, clock)
    open.push(log)
    await fill(log, 7)
    await rm(join(folder, 'log'))
    now -= 30 * 24 * 60 * 60 * 1000
    elapsed += 30_000
    log.append(['after'])
    await log.written()
    expect((await linesBefore(log, null, 2)).items.map(({ text }) => text)).toContain(
      'This console is being written to disk again.',
    )
    expect(await readFile(join(folder, 'log', (await readdir(join(folder, 'log')))[0]!), 'utf8')).toContain(
      'after',
    )
  })

  test('when the disk refuses, lines go on from memory, it is told once, and the hole is told as a gap', async () => {
    await writeFile(join(folder, 'log'), 'a file where the folder should be')
    const log = make(1, { ...small, retryMs: 0 })
    await fill(log, 100)
    const last = await linesBefore(log, null, 15)
    expect(last.items).toHaveLength(15)
    await rm(join(folder, 'log'))
    await fill(log, 100, 101)
    await log.close()
    const seen = await drain(log.cursor({ epoch: 1, seq: 0 }))
    expect(seen[0]).toMatch(/^gap 1-1\.\.1-\d+$/)
    expect(seen.filter((text) => text.startsWith('gap'))).toHaveLength(1)
    expect(seen.at(-1)).toBe('line 200')
  })

  test('a full disk is told once in the console itself', async () => {
    await writeFile(join(folder, 'log'), '')
    const log = make(1, { ...small, ringLines: 10_000 })
    await fill(log, 200)
    const texts = await drain(log.cursor({ epoch: 1, seq: 0 }))
    expect(texts.filter((text) => text.includes('cannot be written to disk'))).toHaveLength(1)
    expect(texts).toHaveLength(201)
  })
})

describe('history', () => {
  test('pages back to the very first line and forth again, across epochs, without a line missing or twice', async () => {
    for (const [epoch, from] of [
      [1, 1],
      [2, 101],
      [4, 201],
    ] as const) {
      const log = make(epoch)
      await fill(log, 100, from)
      if (epoch < 4) await log.close()
    }
    const log = open.at(-1)!
    const back: string[] = []
    let cursor: string | null = null
    do {
      const page = await linesBefore(log, cursor ? positionOf(cursor) : null, 37)
      back.unshift(...page.items.map((line) => line.text))
      cursor = page.nextCursor
    } while (cursor)
    expect(back).toEqual(numbered(1, 300))

    const forth: string[] = []
    let after: string | null = '1-0'
    while (after) {
      const page = await linesAfter(log, positionOf(after)!, 37)
      forth.push(...page.items.map((line) => line.text))
      after = page.nextCursor
    }
    expect(forth).toEqual(numbered(1, 300))
  })

  test('ends where lines were rotated away, and says so by a missing cursor', async () => {
    const log = make(1, { ...small, totalBytes: 12_000 })
    await fill(log, 600)
    const page = await linesBefore(log, null, 5_000)
    expect(page.nextCursor).toBeNull()
    expect(page.items.at(-1)!.text).toBe('line 600')
    expect(page.items.length).toBeGreaterThan(50)
  })

  test('an empty console has no history', async () => {
    expect(await linesBefore(make(1), null, 10)).toEqual({ items: [], nextCursor: null })
  })
})
