import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract, type Header } from 'tar-stream'
import { expect, it } from 'vitest'
import { TarBytes } from './tar-bytes.ts'

interface Read {
  header: Header
  content: Buffer
}

/** What another reader of tar streams finds, which checks their sums. */
async function read(bytes: Uint8Array): Promise<Read[]> {
  const found: Read[] = []
  const tar = extract()
  Readable.from([Buffer.from(bytes)]).pipe(tar)
  for await (const entry of tar) found.push({ header: entry.header, content: await buffer(entry) })
  return found
}

const sumOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

it('tells of names of every length and language, of every size and of every time', async () => {
  const lengths = [1, 50, 80, 85, 86, 87, 88, 90, 99, 100, 101, 255, 400, 978, 985, 986, 987, 990, 4000]
  const names = [...lengths.map((length) => 'n'.repeat(length)), 'Welt/Über/世界 🌍.dat', 'a=b c\td']
  const sizes = [0, 1, 511, 512, 513, 70_000]
  const times = [0, -1, -86_400_000.5, 1_600_000_000_123, 253_402_300_799_999]
  const files = names.map((path, at) => ({
    path,
    content: randomBytes(sizes[at % sizes.length]!),
    modifiedAt: times[at % times.length]!,
  }))
  const tar = new TarBytes(files.map((file) => ({ ...file, size: file.content.length })))
  for (const { content, ...file } of files)
    tar.add({ ...file, size: content.length }, (into) => {
      content.copy(into)
      return sumOf(content)
    })
  const bytes = tar.end()
  expect(bytes.length % 512).toBe(0)
  const found = await read(bytes)
  expect(found.map(({ header }) => header.name)).toEqual(names)
  for (const [at, { header, content }] of found.entries()) {
    const { content: expected, modifiedAt } = files[at]!
    expect(content.equals(expected)).toBe(true)
    expect(header).toMatchObject({ type: 'file', size: expected.length, mode: 0o644 })
    const mtime = (modifiedAt / 1000).toFixed(3)
    expect(header.pax).toMatchObject({ 'WHEELHOUSE.sha256': sumOf(expected), mtime })
  }
})

it('leaves out what cannot be had, and nothing of it behind', async () => {
  const tar = new TarBytes([])
  const none = (into: Buffer) => {
    into.fill('x')
    return null
  }
  const put = (into: Buffer) => {
    into.fill('y')
    return sumOf(into)
  }
  tar.add({ path: 'gone', size: 9000, modifiedAt: 1 }, none)
  tar.add({ path: 'there', size: 3, modifiedAt: null }, put)
  tar.add({ path: 'gone too', size: 9000, modifiedAt: 1 }, none)
  const found = await read(tar.end())
  expect(found.map(({ header, content }) => [header.name, content.toString()])).toEqual([['there', 'yyy']])
  expect(Math.abs(found[0]!.header.mtime.getTime() - Date.now())).toBeLessThan(60_000)
})
