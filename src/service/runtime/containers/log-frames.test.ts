import { expect, test } from 'vitest'
import { CUT_MARK, LINE_BYTES_MAX } from '../programs/line-splitter.ts'
import { LogFrames, type LoggedLines } from './log-frames.ts'

const [OUTPUT, ERROR] = [1, 2]
const at = (second: number, rest = '000000000') => `2026-11-29T13:02:0${second}.${rest}Z`
const msAt = (second: number, ms = 0) => Date.UTC(2026, 10, 29, 13, 2, second, ms)

function frame(kind: number, text: string, time: string | null = at(0)): Buffer {
  const message = Buffer.from(time === null ? text : `${time} ${text}`)
  const head = Buffer.alloc(8)
  head[0] = kind
  head.writeUInt32BE(message.length, 4)
  return Buffer.concat([head, message])
}

/** Lines that were found apart only because the bytes came apart. */
function joined(found: readonly LoggedLines[]): LoggedLines[] {
  const all: LoggedLines[] = []
  for (const { lines, from, at: when } of found) {
    const last = all.at(-1)
    if (last?.from === from && last.at === when) last.lines.push(...lines)
    else all.push({ lines: [...lines], from, at: when })
  }
  return all
}

const log = Buffer.concat([
  frame(OUTPUT, 'Grüße 🌍\n', at(1, '082661317')),
  frame(OUTPUT, 'the same ms\n', at(1, '082999999')),
  frame(ERROR, 'an error\n', at(1, '082999999')),
  frame(OUTPUT, '\n', at(2)),
  frame(OUTPUT, 'one\ntwo\r\n', at(3)),
])
const read: LoggedLines[] = [
  { lines: ['Grüße 🌍', 'the same ms'], from: 'output', at: msAt(1, 82) },
  { lines: ['an error'], from: 'error', at: msAt(1, 82) },
  { lines: [''], from: 'output', at: msAt(2) },
  { lines: ['one', 'two'], from: 'output', at: msAt(3) },
]

test('reads lines with their time and kind, those of one ms together', () => {
  const frames = new LogFrames()
  expect(frames.push(log)).toEqual(read)
  expect(frames.flush(0)).toEqual([])
})

test('gives the same lines wherever the bytes are cut, also within a head, a time and a character', () => {
  for (let first = 0; first <= log.length; first++) {
    const frames = new LogFrames()
    const found = [...frames.push(log.subarray(0, first)), ...frames.push(log.subarray(first))]
    expect([first, joined(found)]).toEqual([first, read])
  }
  const frames = new LogFrames()
  const found = [...log].flatMap((byte) => frames.push(Buffer.from([byte])))
  expect(joined(found)).toEqual(read)
})

test('needs the bytes of a chunk only until they are read', () => {
  const frames = new LogFrames()
  const found = [log.subarray(0, 100), log.subarray(100)].flatMap((piece) => {
    const chunk = Buffer.from(piece)
    const lines = frames.push(chunk)
    chunk.fill('x')
    return lines
  })
  expect(joined(found)).toEqual(read)
})

test('joins a line that the engine stored in parts, and gives it the time of its end', () => {
  const frames = new LogFrames()
  const part = 'x'.repeat(LINE_BYTES_MAX / 2)
  expect(frames.push(frame(OUTPUT, part, at(1)))).toEqual([])
  expect(frames.push(frame(OUTPUT, part, at(2)))).toEqual([])
  expect(frames.push(frame(OUTPUT, '\nnext\n', at(3)))).toEqual([
    { lines: [part + part, 'next'], from: 'output', at: msAt(3) },
  ])
})

test('cuts a line that is longer than a part, once, and reads on after it', () => {
  const frames = new LogFrames()
  const part = 'x'.repeat(LINE_BYTES_MAX)
  const found = [
    ...[frame(OUTPUT, part), frame(OUTPUT, part), frame(OUTPUT, part), frame(OUTPUT, 'y\n')],
    frame(OUTPUT, 'next\n', at(1)),
  ].flatMap((one) => frames.push(one))
  expect(found).toEqual([
    { lines: [part + CUT_MARK], from: 'output', at: msAt(0) },
    { lines: ['next'], from: 'output', at: msAt(1) },
  ])
})

test('mixes no halves of lines of two kinds', () => {
  const frames = new LogFrames()
  const found = [
    ...[
      frame(OUTPUT, 'out'),
      frame(ERROR, 'err'),
      frame(OUTPUT, 'put\n', at(1)),
      frame(ERROR, 'or\n', at(1)),
    ],
    ...[frame(OUTPUT, 'rest'), frame(ERROR, 'of both')],
  ].flatMap((one) => frames.push(one))
  expect(found).toEqual([
    { lines: ['output'], from: 'output', at: msAt(1) },
    { lines: ['error'], from: 'error', at: msAt(1) },
  ])
  expect(frames.flush(7)).toEqual([
    { lines: ['rest'], from: 'output', at: 7 },
    { lines: ['of both'], from: 'error', at: 7 },
  ])
  expect(frames.flush(8)).toEqual([])
})

test('keeps a line without a time whole', () => {
  const before = Date.now()
  const [logged] = new LogFrames().push(frame(OUTPUT, 'no time here\n', null))
  expect(logged).toMatchObject({ lines: ['no time here'], from: 'output' })
  expect(logged!.at).toBeGreaterThanOrEqual(before)
  // After one with a time, it has that of its neighbor.
  const both = Buffer.concat([frame(OUTPUT, 'a\n', at(1)), frame(OUTPUT, 'none\n', null)])
  expect(new LogFrames().push(both)).toEqual([{ lines: ['a', 'none'], from: 'output', at: msAt(1) }])
})

test('takes no frame that claims more than the engine writes, before its bytes have come', () => {
  const head = (length: number) => {
    const bytes = Buffer.alloc(8)
    bytes[0] = OUTPUT
    bytes.writeUInt32BE(length, 4)
    return bytes
  }
  expect(new LogFrames().push(head(64 * 1024))).toEqual([])
  expect(() => new LogFrames().push(head(64 * 1024 + 1))).toThrow('can’t be read')
  const frames = new LogFrames()
  frames.push(head(0xffffffff).subarray(0, 7))
  expect(() => frames.push(Buffer.from([0xff]))).toThrow('can’t be read')
})
