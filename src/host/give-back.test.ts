import { expect, it } from 'vitest'
import { giveBack } from './give-back.ts'

it('leaves nothing of bytes that have their memory for themselves', () => {
  const bytes = Buffer.alloc(100_000, 1)
  giveBack(bytes)
  expect(bytes.length).toBe(0)
})

it('leaves bytes alone that share their memory with others', () => {
  const all = Buffer.alloc(100_000, 1)
  giveBack(all.subarray(10))
  expect(all.equals(Buffer.alloc(100_000, 1))).toBe(true)
  const shared = new Uint8Array(new SharedArrayBuffer(10)).fill(1)
  giveBack(shared)
  expect(shared.length).toBe(10)
})
