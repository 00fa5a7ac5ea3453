import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GrowingFile } from '../sources/growing-file.ts'
import { type Destination, receiveBody } from './receive-body.ts'
import type { ItemRow } from '../store/rows.ts'

const MODIFIED = 1_600_000_000_123
let folder: string
const { signal } = new AbortController()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'received-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const itemOf = (path: string, size: number) => ({ path, size, modifiedAt: MODIFIED }) as ItemRow
const destination = (name: string, ...sizes: number[]): Destination => ({
  items: sizes.map((size, at) => itemOf(`${name}${at}`, size)),
  path: join(folder, name),
})

/** A body as a connection brings it: chunks of 64 KiB. */
function bodyOf(content: Buffer): Readable {
  const chunks: Buffer[] = []
  for (let at = 0; at < content.length; at += 65_536) chunks.push(content.subarray(at, at + 65_536))
  return Readable.from(chunks, { objectMode: false })
}

describe('what a page brings', () => {
  it('is written to a file, several one after the other, readable by this user alone', async () => {
    const sizes = [0, 700_000, 1, 0, 65_536, 2_500_000, 9, 0]
    const content = randomBytes(sizes.reduce((sum, size) => sum + size, 0))
    const several = destination('several', ...sizes)
    await receiveBody(bodyOf(content), several, null, signal)
    expect((await readFile(several.path)).equals(content)).toBe(true)
    expect((await stat(several.path)).mode & 0o777).toBe(0o600)
  })

  it('has the time of its file, by which the queue goes', async () => {
    const one = destination('one', 3)
    await receiveBody(bodyOf(randomBytes(3)), one, new GrowingFile(one.path), signal)
    expect((await stat(one.path)).mtime.getTime()).toBe(MODIFIED)
    expect((await stat(one.path)).mode & 0o777).toBe(0o600)
  })

  it.each([
    { more: -100_001, sizes: [100_000, 0, 100_000], name: 'a0' },
    { more: -1, sizes: [100_000, 0, 100_000], name: 'a2' },
    { more: 1, sizes: [100_000, 0, 100_000], name: 'a2' },
    { more: -1, sizes: [200_000], name: 'a0' },
    { more: 1, sizes: [200_000], name: 'a0' },
  ])(
    'and has $more bytes more than $sizes is none of these, and says which is not',
    async ({ more, sizes, name }) => {
      const body = bodyOf(randomBytes(200_000 + more))
      await expect(receiveBody(body, destination('a', ...sizes), null, signal)).rejects.toMatchObject({
        problem: { code: 'changed', text: { key: 'page.differs', values: { name } } },
      })
    },
  )

  it('can be read while it grows', async () => {
    const content = randomBytes(3_000_000)
    const body = bodyOf(content)
    const one = destination('one', content.length)
    const growing = new GrowingFile(one.path)
    await receiveBody(body, one, growing, signal)
    expect((await readFile(one.path)).equals(content)).toBe(true)
    expect(await growing.reached(content.length)).toBe(content.length)
  })

  it('is told by its code where it cannot be written', async () => {
    const lost = { ...destination('a', 3), path: join(folder, 'nowhere', 'a') }
    await expect(receiveBody(bodyOf(randomBytes(3)), lost, null, signal)).rejects.toThrow(/^ENOENT/)
  })
})
