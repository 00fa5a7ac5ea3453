import { createHash, randomBytes } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporary } from '../../../host/temporary.fixture.ts'
import { openBytes } from '../open.ts'
import type { ItemRow } from '../store/rows.ts'
import { GrowingFile } from './growing-file.ts'
import { localFileSource } from './local-file.ts'

it('a file that is still arriving is read as it arrives, also before anything of it is there', async () => {
  const content = randomBytes(700_000)
  const file = path.join(temporary(), 'large.bin')
  const growing = new GrowingFile(file)
  const item = { path: 'large.bin', source: file, sourceAt: null, size: content.length } as ItemRow
  const bytes = openBytes()
  onTestFinished(() => bytes.close())
  const source = localFileSource(bytes, item, growing)
  const { signal } = new AbortController()
  const read = (async () => {
    const pieces: Buffer[] = []
    // Its buffers are used again.
    for await (const piece of await source.piece(0, content.length, signal)) pieces.push(Buffer.from(piece))
    return pieces
  })()
  for (let at = 0; at < content.length; at += 100_000) {
    await appendFile(file, content.subarray(at, at + 100_000))
    growing.grew(Math.min(at + 100_000, content.length))
    // As long as it takes to read what is there.
    await new Promise((done) => setImmediate(done))
  }
  growing.end()
  const pieces = await read
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
  expect(pieces.map(({ length }) => length)).toEqual([262_144, 262_144, 175_712])
  expect(await source.sha256()).toBe(createHash('sha256').update(content).digest('base64'))
  source.close()
})
