import { spawnSync } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { padded, tarHeader } from '../../../../tests/faults/greedy/bombs.ts'
import { Refusal } from '../../../host/refusal.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { paxFields } from './archives.fixture.ts'
import { readTar } from './tar-reader.ts'

const swollen = () => new Refusal(422, 'swollen', 'There is more beside the content than in honest ones.')

/** What comes out of a tar: [name, type, size, content]. */
async function all(tar: Buffer): Promise<[string, string, number, Buffer][]> {
  const found: [string, string, number, Buffer][] = []
  for await (const { header, content } of readTar(Readable.from([tar]), swollen))
    found.push([header.name, header.type, header.size, await buffer(Readable.from(content))])
  return found
}

const KIB = 1024
/** Files with holes: where bytes lie in them, in KiB, and how large they are. */
const SHAPES: Record<string, { pieces: [at: number, length: number][]; size: number }> = {
  'r.0.0.mca': {
    pieces: [
      [0, 4],
      [292, 5],
    ],
    size: 297,
  },
  'begins with a hole': { pieces: [[64, 8]], size: 72 },
  'ends in a hole': { pieces: [[0, 8]], size: 400 },
  'nothing but a hole': { pieces: [], size: 1000 },
  'one piece more than a header has room for': {
    pieces: Array.from({ length: 5 }, (_, at) => [at * 64, 4]),
    size: 5 * 64,
  },
  'more than a block has room for': {
    pieces: Array.from({ length: 60 }, (_, at) => [at * 32 + 8, 4]),
    size: 60 * 32,
  },
  'no hole': { pieces: [[0, 3]], size: 3 },
  [`${'folder/'.repeat(20)}long`]: { pieces: [[32, 4]], size: 64 },
}

/** Whether GNU tar is here, and says where the holes of a file are by itself, whatever the disk does. */
const gnu = spawnSync('tar', ['--help']).stdout?.toString().includes('--hole-detection')

const hasBsdtar = !spawnSync('bsdtar', ['--version']).error
const COMMANDS = [
  ...['--format=gnu', '--format=oldgnu', '--format=posix --sparse-version=0.0']
    .concat(['--format=posix --sparse-version=0.1', '--format=posix --sparse-version=1.0'])
    .flatMap((format) => (gnu ? [`tar -cS --hole-detection=raw ${format}`] : [])),
  ...(hasBsdtar ? ['bsdtar -cf - --format=pax'] : []),
]

test.for(COMMANDS)('files with holes come out as they were: %s', async (command) => {
  const folder = await temporaryFolder()
  for (const [name, { pieces, size }] of Object.entries(SHAPES)) {
    const at = path.join(folder, name)
    await mkdir(path.dirname(at), { recursive: true })
    await using file = await open(at, 'w')
    await file.truncate(size * KIB)
    for (const [from, length] of pieces)
      await file.write(Buffer.alloc(length * KIB, 0x61 + (from % 26)), 0, length * KIB, from * KIB)
  }
  const names = Object.keys(SHAPES)
  const [program, ...options] = command.split(' ')
  const made = spawnSync(program!, [...options, ...names], { cwd: folder, maxBuffer: 64 * KIB * KIB })
  expect([made.status, made.stderr.toString()]).toEqual([0, ''])
  const found = await all(made.stdout)
  expect(found.map(([name, type]) => [name, type])).toEqual(names.map((name) => [name, 'file']))
  for (const [name, , size, content] of found) {
    const there = await readFile(path.join(folder, name))
    expect([name, size, content.equals(there)]).toEqual([name, there.length, true])
  }
})

/** A tar with one file of so many bytes after these fields. */
function withFields(pairs: [string, string | number][], content: Buffer): Buffer {
  const bytes = paxFields(pairs)
  return Buffer.concat([
    ...[tarHeader('x', bytes.length, 'x'), padded(bytes), tarHeader('GNUSparseFile.1/a', content.length)],
    ...[padded(content), Buffer.alloc(1024)],
  ])
}

const SPARSE = 'GNU.sparse'
const content = Buffer.alloc(100, 'x')
const listed = (map: string, size: number | string = 1000) =>
  withFields(
    [
      [`${SPARSE}.size`, size],
      [`${SPARSE}.name`, 'a'],
      [`${SPARSE}.map`, map],
    ],
    content,
  )
const before = (map: string, size = 1000, rest = content) =>
  withFields(
    [
      [`${SPARSE}.major`, 1],
      [`${SPARSE}.minor`, 0],
      [`${SPARSE}.name`, 'a'],
      [`${SPARSE}.realsize`, size],
    ],
    Buffer.concat([padded(Buffer.from(map)), rest]),
  )
/** In the form from before pax. @param goesOn whether blocks with more pieces follow */
function old(pieces: [number, number][], size: number, goesOn = false): Buffer {
  const header = tarHeader('a', content.length, 'S')
  header.write('ustar  \0', 257, 'latin1')
  const octal = (value: number, at: number) => header.write(`${value.toString(8).padStart(11, '0')}\0`, at)
  for (const [at, [offset, length]] of pieces.entries()) {
    octal(offset, 386 + at * 24)
    octal(length, 386 + at * 24 + 12)
  }
  header[482] = Number(goesOn)
  octal(size, 483)
  header.write('        ', 148)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, padded(content), Buffer.alloc(1024)])
}

test('what lies in a file is where its map says, and zeros are everywhere else', async () => {
  const right = Buffer.alloc(1000)
  right.fill('x', 10, 60)
  right.fill('x', 900, 950)
  for (const tar of [
    listed('10,50,900,50'),
    before('2\n10\n50\n900\n50\n'),
    old(
      [
        [10, 50],
        [900, 50],
      ],
      1000,
    ),
  ])
    expect(await all(tar)).toEqual([['a', 'file', 1000, right]])
})

test.for([
  [
    'pieces over each other',
    listed('10,60,50,40'),
    before('2\n10\n60\n50\n40\n'),
    old(
      [
        [10, 60],
        [50, 40],
      ],
      1000,
    ),
  ],
  [
    'pieces that go back',
    listed('500,50,10,50'),
    before('2\n500\n50\n10\n50\n'),
    old(
      [
        [500, 50],
        [10, 50],
      ],
      1000,
    ),
  ],
  ['a piece behind its end', listed('950,100'), before('1\n950\n100\n'), old([[950, 100]], 1000)],
  ['fewer bytes than are there', listed('10,50'), before('1\n10\n50\n'), old([[10, 50]], 1000)],
  ['more bytes than are there', listed('10,500'), before('1\n10\n500\n'), old([[10, 500]], 1000)],
  ['a number below zero', listed('-10,100'), before('1\n-10\n100\n')],
  ['half a piece', listed('10,100,200'), before('1\n10\n')],
  ['no numbers', listed('a,b'), before('x\n')],
  ['no size', listed('10,100', 'many')],
  ['a number without an end', before(`1\n${'1'.repeat(600)}`)],
  ['no map at all', before('', 1000, Buffer.alloc(0)), old([], 1000)],
] as const)('a map with %s is refused', async ([, ...tars]) => {
  for (const tar of tars) await expect(all(tar)).rejects.toMatchObject({ name: 'TarFormatError' })
})

test('a map of more pieces than files have is refused before it is held', async () => {
  const blocks: Buffer[] = []
  for (let at = 0; at < 6000; at++) {
    const block = Buffer.alloc(512)
    for (let i = 0; i < 21; i++) block.write('00000000000\u000000000000000\0', i * 24)
    block[504] = 1
    blocks.push(block)
  }
  const header = old([[0, 0]], 1000, true).subarray(0, 512)
  for (const tar of [before(`${'9'.repeat(12)}\n`), Buffer.concat([header, ...blocks])])
    await expect(all(tar)).rejects.toMatchObject({ code: 'swollen' })
})

test('a map that goes on and on without a piece is refused at once', async () => {
  const empty = Buffer.alloc(512)
  empty[504] = 1
  const header = old([[0, 0]], 1000, true).subarray(0, 512)
  await expect(all(Buffer.concat([header, ...Array<Buffer>(50).fill(empty)]))).rejects.toThrow(/map/)
})

test('a form of sparse files that nobody here knows is no file', async () => {
  const fromStar = tarHeader('a', content.length, 'S')
  const newer = withFields(
    [
      [`${SPARSE}.major`, 2],
      [`${SPARSE}.minor`, 0],
      [`${SPARSE}.name`, 'a'],
    ],
    content,
  )
  for (const tar of [newer, Buffer.concat([fromStar, padded(content), Buffer.alloc(1024)])])
    expect((await all(tar)).map(([name, type]) => [name, type])).toEqual([['a', 'sparse']])
})

test('fields that are damaged make no other name', async () => {
  for (const bad of ['9 path=\n', '99 path=abc\n', 'x path=abc\n', '11 path-abc\n', '11path=abcd\n'])
    await expect(
      all(
        Buffer.concat([
          ...[tarHeader('x', bad.length, 'x'), padded(Buffer.from(bad))],
          ...[tarHeader('b', 0), Buffer.alloc(1024)],
        ]),
      ),
    ).rejects.toMatchObject({ name: 'TarFormatError' })
})
