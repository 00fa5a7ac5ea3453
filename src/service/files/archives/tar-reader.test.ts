import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { pack, type Header } from 'tar-stream'
import { expect, test } from 'vitest'
import { padded, tarHeader } from '../../../../tests/faults/greedy/bombs.ts'
import { Refusal } from '../../../host/refusal.ts'
import { readTar, type TarHeader } from './tar-reader.ts'

const swollen = () => new Refusal(422, 'swollen', 'There is more beside the content than in honest ones.')

/** Everything in a tar that comes in pieces of so many bytes. */
async function all(tar: Buffer, pieces: number): Promise<{ header: TarHeader; text: string }[]> {
  async function* source() {
    for (let at = 0; at < tar.length; at += pieces) yield tar.subarray(at, at + pieces)
  }
  const found: { header: TarHeader; text: string }[] = []
  for await (const { header, content } of readTar(source(), swollen))
    found.push({ header, text: String(await buffer(Readable.from(content))) })
  return found
}

async function packed(entries: [Partial<Header> & { name: string }, string?][]): Promise<Buffer> {
  const tar = pack()
  for (const [header, content] of entries) tar.entry(header, content ?? '')
  tar.finalize()
  return buffer(Readable.from(tar, { objectMode: false }))
}

const END = Buffer.alloc(1024)

test.for([7, 512, 1000, 100_000])(
  'what another program packed is read in pieces of %i bytes',
  async (pieces) => {
    const long = `${'folder/'.repeat(40)}世界.txt`
    const tar = await packed([
      [{ name: 'a.txt' }, 'hello'],
      [{ name: 'folder', type: 'directory' }],
      [{ name: long, pax: { 'WHEELHOUSE.sha256': 'abc' } }, 'x'.repeat(1500)],
      [{ name: 'link', type: 'symlink', linkname: 'a.txt' }],
      [{ name: 'empty' }, ''],
    ])
    const found = await all(tar, pieces)
    expect(found.map(({ header, text }) => [header.name, header.type, header.size, text.length])).toEqual([
      ['a.txt', 'file', 5, 5],
      ['folder', 'directory', 0, 0],
      [long, 'file', 1500, 1500],
      ['link', 'link', 0, 0],
      ['empty', 'file', 0, 0],
    ])
    expect(found[2]?.header.pax.get('WHEELHOUSE.sha256')).toBe('abc')
  },
)

test('content that is not read is passed over', async () => {
  const tar = await packed([
    [{ name: 'a' }, 'x'.repeat(3000)],
    [{ name: 'b' }, 'hello'],
  ])
  const names: string[] = []
  for await (const { header } of readTar(Readable.from([tar]), swollen)) names.push(header.name)
  expect(names).toEqual(['a', 'b'])
})

test("a long name of GNU's and fields for all that follows are heeded", async () => {
  const name = `${'n'.repeat(150)}.txt`
  const tar = Buffer.concat([
    tarHeader('g', 15, 'g'),
    padded(Buffer.from('15 comment=abc\n')),
    tarHeader('././@LongLink', name.length, 'L'),
    padded(Buffer.from(name)),
    tarHeader('short', 2),
    padded(Buffer.from('hi')),
    END,
  ])
  const [found] = await all(tar, 512)
  expect([found?.header.name, found?.text, found?.header.pax.get('comment')]).toEqual([name, 'hi', 'abc'])
})

test.for([
  ['a header that holds a megabyte of fields', tarHeader('x', 1024 * 1024, 'x')],
  ['a long name of a megabyte', tarHeader('x', 1024 * 1024, 'L')],
  ['zeros without an end behind the end', Buffer.alloc(2 * 1024 * 1024)],
] as const)('%s is refused', async ([, bytes]) => {
  await expect(all(bytes, 64 * 1024)).rejects.toMatchObject({ code: 'swollen' })
})

test('fields for all that follows that come again and again are refused', async () => {
  const field = (at: number) => {
    const text = ` key${1000 + at}=1\n`
    return `${text.length + 2}${text}`
  }
  const headers = Array.from({ length: 200 }, (_, at) =>
    Buffer.concat([tarHeader('g', field(at).length, 'g'), padded(Buffer.from(field(at)))]),
  )
  await expect(all(Buffer.concat(headers), 4096)).rejects.toMatchObject({ code: 'swollen' })
})

test('what is damaged, or cut off, is said to be broken', async () => {
  const tar = await packed([[{ name: 'a' }, 'x'.repeat(3000)]])
  const flipped = Buffer.from(tar)
  flipped[3] = 0x7a
  for (const bytes of [flipped, tar.subarray(0, 1000), Buffer.from('no tar'.repeat(200))])
    await expect(all(bytes, 4096)).rejects.toMatchObject({ name: 'TarFormatError' })
})
