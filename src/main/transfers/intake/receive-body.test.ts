import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bytes, openBytes } from '../bytes/bytes.ts'
import { GrowingFile } from '../sources/growing-file.ts'
import { type Destination, receiveMany, receiveOne } from './receive-body.ts'
import type { ItemRow } from '../store/rows.ts'

const MODIFIED = 1_600_000_000_123
let folder: string
let bytes: Bytes
const { signal } = new AbortController()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'received-'))
  bytes = openBytes()
})
afterEach(async () => {
  await bytes.close()
  await rm(folder, { recursive: true, force: true })
})

const destination = (name: string, size: number): Destination => ({
  item: { path: name, size, modifiedAt: MODIFIED } as ItemRow,
  path: join(folder, name),
})
/** A body as a connection brings it: chunks of 64 KiB, each with memory of its own. */
function bodyOf(content: Buffer): { body: Readable; chunks: Buffer[] } {
  const chunks: Buffer[] = []
  for (let at = 0; at < content.length; at += 65_536) {
    const part = content.subarray(at, at + 65_536)
    const chunk = Buffer.allocUnsafeSlow(part.length)
    part.copy(chunk)
    chunks.push(chunk)
  }
  return { body: Readable.from(chunks, { objectMode: false }), chunks }
}

describe('what a page brings', () => {
  it('is written file by file, of whatever size they are, empty ones first and last', async () => {
    const sizes = [0, 700_000, 1, 0, 65_536, 2_500_000, 9, 0]
    const content = randomBytes(sizes.reduce((sum, size) => sum + size, 0))
    const destinations = sizes.map((size, index) => destination(`${index}`, size))
    await receiveMany(bodyOf(content).body, destinations, bytes, signal)
    let at = 0
    for (const { item, path } of destinations) {
      expect((await readFile(path)).equals(content.subarray(at, (at += item.size)))).toBe(true)
      expect((await stat(path)).mtime.getTime()).toBe(MODIFIED)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    }
  })

  it.each([-1, 1])('and has %i bytes too many is none of these files', async (more) => {
    const destinations = [destination('a', 100_000), destination('b', 100_000)]
    const { body } = bodyOf(randomBytes(200_000 + more))
    await expect(receiveMany(body, destinations, bytes, signal)).rejects.toMatchObject({
      problem: { code: 'changed' },
    })
    const alone = bodyOf(randomBytes(100_000 + more)).body
    const one = destination('c', 100_000)
    await expect(receiveOne(alone, one, new GrowingFile(one.path), signal)).rejects.toMatchObject({
      problem: { code: 'changed' },
    })
  })

  it('gives its memory back as soon as it is written', async () => {
    const content = randomBytes(3_000_000)
    const { body, chunks } = bodyOf(content)
    const one = destination('one', content.length)
    const growing = new GrowingFile(one.path)
    await receiveOne(body, one, growing, signal)
    expect((await readFile(one.path)).equals(content)).toBe(true)
    expect(await growing.reached(content.length)).toBe(content.length)
    expect(chunks.filter(({ length }) => length > 0)).toEqual([])
  })

  it('is told by its code where it cannot be written', async () => {
    const lost = { ...destination('a', 3), path: join(folder, 'nowhere', 'a') }
    await expect(receiveMany(bodyOf(randomBytes(3)).body, [lost], bytes, signal)).rejects.toThrow(/^ENOENT/)
  })
})
