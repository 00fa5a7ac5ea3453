import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pack as createTar } from 'tar-stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MARKED, rawZip, type RawEntry, UNIX, unicodePath } from '../../../../tests/fixtures/raw-zip.ts'
import { padded, tarHeader } from '../../../../tests/faults/greedy/bombs.ts'
import { partsOf } from '../names/names.ts'
import { extracted, paxFields, treeOf } from './archives.fixture.ts'
import { temporaryFolder } from '../../service.fixture.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** 服务器/配置.yml and 世界/level.dat in GBK, サーバー/ソ.txt and 表.txt in Shift-JIS, whose second bytes are 5C. */
const GBK = latin1('\xb7\xfe\xce\xf1\xc6\xf7/\xc5\xe4\xd6\xc3.yml')
const GBK_WORLD = latin1('\xca\xc0\xbd\xe7/level.dat')
const SJIS = latin1('\x83\x54\x81\x5b\x83\x6f\x81\x5b/\x83\x5c.txt')
const SJIS_5C = latin1('\x95\x5c.txt')

const namesIn = async (entries: readonly RawEntry[], wish = {}) => {
  const { tree, names, leftOut } = await extracted(rawZip(entries), wish)
  return { tree, names, leftOut }
}
const UNICODE = { names: null, leftOut: 0 }

describe('names in a zip', () => {
  test.for([
    ['unmarked UTF-8, as macOS writes it', { name: 'Welt-Müller/level.dat', host: UNIX }],
    ['unmarked UTF-8, as old Java and JavaScript write it', { name: '世界/настройки ☃.yml', host: 0 }],
    ['marked', { name: '한글/ö.txt', flags: MARKED }],
    ['decomposed and unmarked', { name: 'Ju\u0308rgen.txt', host: UNIX }],
    ['decomposed and marked', { name: 'Ju\u0308rgen/Ju\u0308.txt', flags: MARKED, host: 19 }],
  ] as const)('are what they say: %s', async ([, entry]) => {
    expect(await namesIn([entry])).toEqual({ tree: [entry.name], ...UNICODE })
  })

  test('are what the field of Info-ZIP says, unless the name was changed after it', async () => {
    const name = latin1('?.txt')
    expect(await namesIn([{ name, extra: unicodePath('服务器.txt', name) }])).toEqual({
      ...{ tree: ['服务器.txt'], ...UNICODE },
    })
    const stale = unicodePath('服务器.txt', latin1('b.txt'))
    expect((await namesIn([{ name: 'a.txt', extra: stale }])).tree).toEqual(['a.txt'])
  })

  test('in a code page are guessed from all of them, and it is told that they were', async () => {
    expect(await namesIn([{ name: GBK }, { name: GBK_WORLD }, { name: 'server.properties' }])).toEqual({
      tree: ['server.properties', '世界/level.dat', '服务器/配置.yml'],
      names: { encoding: 'gbk', guessed: true },
      leftOut: 0,
    })
    // D2 BB looks like UTF-8 by chance.
    expect((await namesIn([{ name: latin1('\xd2\xbb.yml') }, { name: GBK }])).tree).toEqual([
      ...['一.yml', '服务器/配置.yml'],
    ])
    const { tree, names } = await namesIn([{ name: latin1('Welt-M\x81ller/level.dat') }])
    expect([tree, names]).toEqual([['Welt-Müller/level.dat'], { encoding: 'cp437', guessed: true }])
  })

  test('of which only some are not Unicode are read one by one', async () => {
    const unicode = Array.from({ length: 300 }, (_, at) => ({ name: `Welt-Müller/${at}.dat`, host: UNIX }))
    const { tree, names } = await namesIn([...unicode, { name: GBK }, { name: GBK_WORLD }])
    expect(tree).toEqual(expect.arrayContaining(['Welt-Müller/7.dat', '世界/level.dat', '服务器/配置.yml']))
    expect([tree.length, names]).toEqual([302, { encoding: 'gbk', guessed: true }])
    // Unix has no code pages: what looks like UTF-8 there is.
    const few = [{ name: 'Welt-Müller/level.dat' }, ...[GBK, GBK_WORLD].map((name) => ({ name }))]
    expect((await namesIn(few.map((entry) => ({ ...entry, host: UNIX })))).tree).toContain(few[0]!.name)
  })

  test('are never split at a byte that belongs to a letter, and at backslashes all the same', async () => {
    expect((await namesIn([{ name: SJIS }, { name: SJIS_5C }])).tree).toEqual(['サーバー/ソ.txt', '表.txt'])
    const windows = latin1('\x83\x54\x81\x5b\x83\x6f\x81\x5b\\\x83\x5c\\\x95\x5c.txt')
    expect((await namesIn([{ name: windows }])).tree).toEqual(['サーバー/ソ/表.txt'])
  })

  test('are read in the encoding that somebody says', async () => {
    const wish = { names: 'gbk' } as const
    const { tree, names } = await namesIn([{ name: latin1('\xbc\xad\xb9\xf6.txt') }], wish)
    expect([tree, names]).toEqual([['辑滚.txt'], { encoding: 'gbk', guessed: false }])
    expect((await namesIn([{ name: 'é.txt' }], wish)).tree).toEqual(['茅.txt'])
    expect((await namesIn([{ name: 'é.txt', flags: MARKED }], wish)).tree).toEqual(['é.txt'])
  })

  test('that are not in the encoding of the others are left out by name', async () => {
    const bytes = rawZip([{ name: GBK }, { name: GBK_WORLD }, { name: latin1('\xb7\xfe\x81.txt') }])
    const { tree, omissions, leftOut } = await extracted(bytes)
    expect(tree).toEqual(['世界/level.dat', '服务器/配置.yml'])
    expect([omissions, leftOut]).toEqual([['·þ\ufffd.txt: unreadable'], 1])
  })

  test('of Unix may have backslashes next to slashes; others have them for slashes', async () => {
    const names = ['a/b\\c.txt', 'd\\e.txt']
    const right = process.platform === 'win32' ? ['a/b/c.txt', 'd/e.txt'] : ['d/e.txt']
    expect((await namesIn(names.map((name) => ({ name, host: UNIX })))).tree).toEqual(
      expect.arrayContaining(right),
    )
    expect((await namesIn(names.map((name) => ({ name })))).tree).toEqual(['a/b/c.txt', 'd/e.txt'])
  })

  test('begin and go on with as many slashes as they like', async () => {
    const slashes = ['/', '//', '/server.properties', '//plugins/a.jar', 'world//region///r.mca', './world/./level.dat', '\\logs\\latest.log', '/mods/'] // prettier-ignore
    const bytes = rawZip(slashes.map((name) => ({ name })))
    const { tree, leftOut } = await extracted(bytes)
    const right = ['logs/latest.log', 'mods/', 'plugins/a.jar', 'server.properties', 'world/level.dat', 'world/region/r.mca'] // prettier-ignore
    expect([tree, leftOut]).toEqual([right, 0])
    const folder = await temporaryFolder()
    await writeFile(path.join(folder, 'a.zip'), bytes)
    const { error } = spawnSync('unzip', ['-q', 'a.zip', '-d', 'out'], { cwd: folder })
    if (!error) expect(treeOf(path.join(folder, 'out'))).toEqual(right)
  })
})

test.for([
  '../a.txt',
  'a/../../b.txt',
  '/../a.txt',
  '//..',
  'a\\..\\..\\b',
  'C:\\a.txt',
  'C:/a.txt',
  '/c:/a.txt',
])('a name that climbs or begins with a drive means harm to all: %s', async (name) => {
  const bytes = rawZip([{ name: 'fine.txt' }, { name }])
  await expect(extracted(bytes)).rejects.toMatchObject({ code: 'files.outside' })
})

test('a name that cannot be used costs the one file that has it, and is told', async () => {
  const long = `${'x'.repeat(256)}.txt`
  const { tree, omissions } = await extracted(
    rawZip(['a\0b.txt', long, `${long}/below.txt`, '', 'fine.txt'].map((name) => ({ name }))),
  )
  expect(tree).toEqual(['fine.txt'])
  expect(omissions).toEqual(['a\ufffdb.txt: name', `${long}: name`, `${long}/below.txt: name`, ': name'])
})

test('names that only some systems take cost nothing else, and are there where this one takes them', async () => {
  const names = [
    'plugins/Homes/players/con.yml',
    'aux.c',
    'NUL',
    'trail.',
    'trail ',
    'a:b',
    'server.properties',
  ]
  const isTaken = (name: string) => {
    try {
      return partsOf(name).length > 0
    } catch {
      return false
    }
  }
  const { tree, omissions } = await extracted(rawZip(names.map((name) => ({ name, host: UNIX }))))
  expect(tree).toEqual(names.filter(isTaken).sort())
  expect(omissions).toEqual(names.filter((name) => !isTaken(name)).map((name) => `${name}: name`))
})

test('what lies too deep is left out by name, and does not hold up the rest', async () => {
  const deep = (levels: number) => `${'a/'.repeat(levels)}b.txt`
  const names = [deep(98), deep(99), deep(1000), 'fine.txt', `${'d/'.repeat(200)}`]
  const { tree, omissions } = await extracted(rawZip(names.map((name) => ({ name }))), { to: 'out' })
  expect(tree).toEqual([deep(98), 'fine.txt'])
  expect(omissions).toEqual([
    `${deep(99)}: deep`,
    expect.stringMatching(/^(?:a\/)+….*\/b\.txt: deep$/),
    expect.stringMatching(/^(?:d\/)+….*d\/: deep$/),
  ])
})

test('of two files of one name the later one is there, and it is told', async () => {
  const bytes = rawZip([
    { name: 'a.txt', content: 'one' },
    { name: '/a.txt', content: 'two' },
  ])
  const { out, leftOut, omissions } = await extracted(bytes)
  expect(readFileSync(path.join(out, 'a.txt'), 'utf8')).toBe('two')
  expect([leftOut, omissions]).toEqual([1, ['a.txt: twice']])
})

test('a file where the archive has a folder is told as what it is, whichever comes first', async () => {
  const clash = (names: string[]) => extracted(rawZip(names.map((name) => ({ name, content: 'x' }))))
  await expect(clash(['a', 'a/b'])).rejects.toMatchObject({ code: 'files.not-folder' })
  await expect(clash(['a', 'a/b/c/'])).rejects.toMatchObject({ code: 'files.not-folder' })
  await expect(clash(['a/b', 'a'])).rejects.toMatchObject({ code: 'files.is-folder' })
  await expect(clash(['a/', 'a'])).rejects.toMatchObject({ code: 'files.is-folder' })
})

test('what is packed with gzip and no tar is not called damaged', async () => {
  for (const content of ['[12:00:00] [Server thread/INFO]: Done\n'.repeat(100), 'short'])
    await expect(extracted(gzipSync(content))).rejects.toMatchObject({ code: 'files.archive-unknown' })
  const tar = Buffer.concat([tarHeader('a', 1), padded(Buffer.from('x')), Buffer.alloc(1024)])
  await expect(extracted(gzipSync(tar).subarray(0, -9))).rejects.toMatchObject({
    code: 'files.archive-broken',
  })
})

test('more names than are told are counted', async () => {
  const names = Array.from({ length: 50 }, (_, at) => ({ name: `${at}\0` }))
  const { leftOut, omissions } = await extracted(rawZip(names))
  expect([leftOut, omissions.length]).toEqual([50, 20])
})

test('each kind that is no file is told as what it is', async () => {
  const kinds = { link: 0o120777, pipe: 0o010644, socket: 0o140644, device: 0o060644, file: 0o100644 }
  const zip = rawZip(Object.entries(kinds).map(([name, mode]) => ({ name, mode, host: UNIX })))
  expect((await extracted(zip)).omissions).toEqual(['link: link', 'pipe: special', 'socket: special', 'device: special']) // prettier-ignore
  // A folder need not end in a slash.
  expect((await extracted(rawZip([{ name: 'folder', mode: 0o040755, host: UNIX }]))).tree).toEqual([
    'folder/',
  ])
  const types = {
    link: '1',
    soft: '2',
    char: '3',
    block: '4',
    pipe: '6',
    sparse: 'S',
    later: 'M',
    label: 'V',
    folder: 'D',
  }
  const tar = Object.entries(types).map(([name, type]) => tarHeader(name, 0, type))
  const { omissions, tree } = await extracted(Buffer.concat([...tar, Buffer.alloc(1024)]))
  expect(omissions).toEqual(['link: link', 'soft: link', 'char: special', 'block: special', 'pipe: special', 'sparse: sparse', 'later: other']) // prettier-ignore
  expect(tree).toEqual(['folder/'])
})

describe('names in a tar', () => {
  /** A tar whose names are these bytes. */
  const tarOf = (names: Buffer[]) =>
    Buffer.concat([
      ...names.flatMap((name) => {
        const header = tarHeader(' '.repeat(name.length), 1)
        name.copy(header)
        header.write('        ', 148)
        const sum = header.reduce((total, byte) => total + byte, 0)
        header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
        return [header, padded(Buffer.from('x'))]
      }),
      Buffer.alloc(1024),
    ])

  test.for([(tar: Buffer) => tar, (tar: Buffer) => gzipSync(tar)])(
    'that are not Unicode are guessed from all of them',
    async (packed) => {
      const names = [Buffer.from('welt-müller.txt'), GBK, GBK_WORLD]
      const { tree, names: read } = await extracted(packed(tarOf(names)))
      expect(tree).toEqual(['welt-müller.txt', '世界/level.dat', '服务器/配置.yml'])
      expect(read).toEqual({ encoding: 'gbk', guessed: true })
      const western = await extracted(packed(tarOf([latin1('J\xfcrgen.txt')])))
      expect([western.tree, western.names?.encoding]).toEqual([['Jürgen.txt'], 'windows-1252'])
      const said = await extracted(packed(tarOf([SJIS])), { names: 'shift_jis' })
      expect([said.tree, said.names?.guessed]).toEqual([['サーバー/ソ.txt'], false])
    },
  )

  test.for([(tar: Buffer) => tar, (tar: Buffer) => gzipSync(tar, { level: 0 })])(
    'that are not Unicode are read twice, however much is between them',
    async (packed) => {
      const world = randomBytes(3_000_000)
      const large = Buffer.concat([tarHeader('world.zip', world.length), padded(world)])
      const [first, last] = [tarOf([GBK]).subarray(0, -1024), tarOf([GBK_WORLD])]
      const { tree, out } = await extracted(packed(Buffer.concat([first, large, last])))
      expect(tree).toEqual(['world.zip', '世界/level.dat', '服务器/配置.yml'])
      expect(readFileSync(path.join(out, 'world.zip')).equals(world)).toBe(true)
    },
  )

  test.skipIf(process.platform !== 'linux').for([
    ['tar', '--format=gnu'],
    ['tar', '--format=posix'],
    ['bsdtar', '--format=pax'],
    ['bsdtar', '--format=gnutar'],
  ] as const)('that are not Unicode come out of what %s %s packs', async ([program, format]) => {
    const folder = await temporaryFolder()
    const long = `${'ordner/'.repeat(20)}J\xfcrgen.txt`
    for (const name of ['Gr\xf6\xdfe.txt', long]) {
      const at = Buffer.concat([Buffer.from(`${folder}/in/`), latin1(name)])
      mkdirSync(at.subarray(0, at.lastIndexOf('/')), { recursive: true })
      writeFileSync(at, 'x')
    }
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    const made = spawnSync(program, ['-cf', '-', format, '-C', 'in', '.'], { cwd: folder, env })
    if (made.error) return
    const { tree, names } = await extracted(made.stdout)
    expect(tree).toEqual(['Größe.txt', `${'ordner/'.repeat(20)}Jürgen.txt`])
    expect(names).toEqual({ encoding: 'windows-1252', guessed: true })
  })

  test.skipIf(process.platform !== 'linux').for(['--format=v7', '--format=gnu --label=Backup'])(
    'are found in what tar %s packs, without a magic number',
    async (options) => {
      const folder = await temporaryFolder()
      await writeFile(path.join(folder, 'a.txt'), 'a')
      const made = spawnSync('tar', ['-cf', '-', ...options.split(' '), 'a.txt'], { cwd: folder })
      expect(made.status).toBe(0)
      for (const bytes of [made.stdout, gzipSync(made.stdout)])
        expect(await extracted(bytes)).toMatchObject({ tree: ['a.txt'], leftOut: 0 })
    },
  )

  test('of pax that are binary are read like the others', async () => {
    const fields = paxFields([
      ['hdrcharset', 'BINARY'],
      ['path', GBK],
    ])
    const tar = Buffer.concat([
      ...[
        tarHeader('x', fields.length, 'x'),
        padded(fields),
        tarHeader('short', 1),
        padded(Buffer.from('x')),
      ],
      Buffer.alloc(1024),
    ])
    expect((await extracted(tar)).tree).toEqual(['服务器/配置.yml'])
  })

  test('begin and go on with as many slashes as they like', async () => {
    const tar = createTar()
    for (const name of ['/server.properties', '//plugins//a.jar', './world/./level.dat', '/'])
      tar.entry({ name, type: name.length === 1 ? 'directory' : 'file' }, '')
    tar.finalize()
    const { tree, leftOut } = await extracted(await buffer(tar))
    expect([tree, leftOut]).toEqual([['plugins/a.jar', 'server.properties', 'world/level.dat'], 0])
    tar.destroy()
    await expect(extracted(tarOf([latin1('/../a')]))).rejects.toMatchObject({ code: 'files.outside' })
  })
})

test('a sparse file counts with its holes where it has to fit', async () => {
  const fields = paxFields([
    ['GNU.sparse.major', 1],
    ['GNU.sparse.minor', 0],
    ['GNU.sparse.realsize', 10 ** 14],
  ])
  const map = padded(Buffer.from('0\n'))
  const headers = [tarHeader('x', fields.length, 'x'), padded(fields), tarHeader('a', map.length), map]
  await expect(extracted(Buffer.concat([...headers, Buffer.alloc(1024)]))).rejects.toMatchObject({
    code: 'files.disk-full',
  })
})
