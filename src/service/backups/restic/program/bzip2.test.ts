import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { unpackBzip2 } from './bzip2.ts'

const unpacked = (bytes: Uint8Array): Buffer =>
  Buffer.concat([...unpackBzip2(bytes)].filter((piece) => piece !== undefined))

const hasBzip2 = spawnSync('bzip2', ['--version'], { stdio: 'ignore' }).error === undefined

test.runIf(hasBzip2).each([
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.from('a')],
  ['runs of every length', Buffer.concat(Array.from({ length: 600 }, (_, at) => Buffer.alloc(at, at % 7)))],
  ['one long run', Buffer.alloc(3_000_000, 'x')],
  ['random bytes in several blocks', randomBytes(1_200_000)],
  ['words', Buffer.from(Array.from({ length: 200_000 }, (_, at) => `${at * 7919} words `).join(''))],
])('%s come out of bzip2 as they went in', (_what, bytes) => {
  for (const level of ['-1', '-9'])
    expect(
      unpacked(execFileSync('bzip2', [level, '-c'], { input: bytes, maxBuffer: 8_000_000 })).equals(bytes),
    ).toBe(true)
})

test('what is no bzip2 file, or a damaged one, is refused', () => {
  const whole = Buffer.from(
    '425a68393141592653594eece83600000251800010400006449080200031064c4101a7a9a580bb9431f8bb9229c28482776741b0',
    'hex',
  )
  expect(unpacked(whole).toString()).toBe('hello world\n')
  expect(() => unpacked(Buffer.from('PK'))).toThrow('no bzip2 file')
  expect(() => unpacked(whole.subarray(0, 40))).toThrow('damaged')
  for (let at = 4; at < whole.length - 4; at++) {
    const damaged = Buffer.from(whole)
    damaged[at]! ^= 0x10
    const text = (() => {
      try {
        return unpacked(damaged).toString()
      } catch (error) {
        return (error as Error).message
      }
    })()
    // Some bits are of no consequence.
    expect(text, `${at}`).toMatch(/^(hello world\n|This is no bzip2 file, or a damaged one\.)$/)
  }
})
