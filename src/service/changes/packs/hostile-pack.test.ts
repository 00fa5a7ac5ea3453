import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ZipFile } from 'yazl'
import { indexOf, makePack } from '../../../../tests/fixtures/modpack.ts'
import { rawZip, UNIX } from '../../../../tests/fixtures/raw-zip.ts'
import { JarReader } from '../../extensions/jars/jar-reader.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { ClientOnlyMods } from './client-only.ts'
import { openPacks } from './packs.fixture.ts'
import { openPack } from './read-pack.ts'

/** A zip with these files, in their order; one name may be there twice. */
async function zipOf(...files: [name: string, content: string | Buffer][]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** Offsets of the entries in the list of a zip, and fields of them. */
const [LISTED, CRC, SIZE, HEAD] = [Buffer.from('PK\u0001\u0002'), 16, 24, 42]
function entriesIn(zip: Buffer): number[] {
  const found: number[] = []
  for (let at = zip.indexOf(LISTED); at >= 0; at = zip.indexOf(LISTED, at + 4)) found.push(at)
  return found
}

async function open(bytes: Buffer) {
  const file = path.join(await temporaryFolder(), 'a.mrpack')
  await writeFile(file, bytes)
  const pack = await openPack(file, null)
  onTestFinished(() => pack.close())
  return pack
}

const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

it('a pack in which files lie over each other is refused: little would become very much', async () => {
  const bytes = await makePack({ within: { 'overrides/a': 'one', 'overrides/b': 'two' } })
  const [, first, second] = entriesIn(bytes) as [number, number, number]
  bytes.writeUInt32LE(bytes.readUInt32LE(first + HEAD), second + HEAD)
  await expect(open(bytes)).rejects.toEqual(refusal('modpacks.too-large', /lie over each other/))
})

it('a file within a pack whose checksum or size is another than its list says is not taken', async () => {
  for (const field of [CRC, SIZE]) {
    const bytes = await makePack({ within: { 'overrides/config/a.toml': 'a = 1' } })
    const at = entriesIn(bytes).at(-1)! + field
    bytes.writeUInt32LE(bytes.readUInt32LE(at) + 1, at)
    const pack = await open(bytes)
    const read = pack.read(pack.overrides[0]!, async () => undefined)
    await expect.soft(read).rejects.toEqual(refusal('modpacks.broken', /a\.toml" in it is damaged/))
  }
})

it('a pack that is damaged within changes nothing on a server, and what is wrong is told', async () => {
  const { create, offer, file, put, all, install, reaches, said, leftBeside } = await openPacks()
  const { versions } = await offer([{ files: [file('mods/a.jar', 'a')] }])
  const { id } = (await create(versions[0]!.id)).body
  await reaches(id, 'offline')
  const bytes = await makePack({ within: { 'overrides/a': 'fine', 'overrides/mods/b.jar': 'wrong' } })
  const at = entriesIn(bytes).at(-1)! + CRC
  bytes.writeUInt32LE(0, at)
  await put(id, 'wrong.mrpack', bytes)
  const before = await all(id)
  await install(id, { path: 'wrong.mrpack' })
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/not installed, .*"overrides\/mods\/b\.jar" in it is damaged/)
  expect(await all(id)).toEqual(before)
  expect(await leftBeside(id)).toEqual([])
})

const index = { name: 'modrinth.index.json', content: JSON.stringify(indexOf({})) }
const bringsIn = async (entries: Parameters<typeof rawZip>[0]) => {
  const { overrides } = await open(rawZip([index, ...entries]))
  return overrides.map(({ path, size }) => [path, size])
}

it.each([0, UNIX])('a pack that was made on Windows has the same files in it (host %i)', async (host) => {
  const names = ['overrides\\config\\a.toml', 'overrides/config\\b.toml', 'server-overrides\\config\\b.toml']
  const entries = names.map((name, at) => ({ name, content: 'x'.repeat(at + 1), host }))
  const other = ['overrides\\', '/', '\\', 'icon.png', 'overrides//config//c.toml', '/overrides/d.toml']
  expect(await bringsIn([...entries, ...other.map((name) => ({ name, host }))])).toEqual([
    ...[
      ['config/a.toml', 1],
      ['config/b.toml', 3],
      ['config/c.toml', 0],
      ['d.toml', 0],
    ],
  ])
  for (const name of ['overrides\\..\\..\\a', '..\\a', 'overrides\\C:\\a', 'overrides\\con'])
    await expect(bringsIn([{ name, host }])).rejects.toEqual(refusal('modpacks.unsafe', /names the path/))
  const twice = [{ name: 'overrides\\a.txt' }, { name: 'overrides/A.txt' }]
  await expect(bringsIn(twice)).rejects.toEqual(refusal('modpacks.broken', /twice/))
})

it('files of a pack keep their names, also where nothing says their encoding', async () => {
  expect(await bringsIn([{ name: 'overrides/config/Müller.toml' }])).toEqual([['config/Müller.toml', 0]])
  const gbk = Buffer.concat([Buffer.from('overrides/'), Buffer.from('b7fecef1c6f7', 'hex')])
  expect(await bringsIn([{ name: gbk }])).toEqual([['服务器', 0]])
})

it('a pack of CurseForge is called what it is, with what can be done instead', async () => {
  const manifest = { minecraft: { version: '1.20.1', modLoaders: [{ id: 'forge-47.2.0' }] }, files: [] }
  const pack = [
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'overrides\\config\\a.toml' },
    { name: 'modlist.html' },
  ]
  await expect(open(rawZip(pack))).rejects.toEqual(
    refusal('modpacks.broken', /^This is a CurseForge modpack, .*\.mrpack.*server files/),
  )
  // Other things have such a file, too.
  for (const content of ['{}', '[', '{"minecraft":1}', 'x'.repeat(9 * 1024 * 1024)])
    await expect(open(rawZip([{ name: 'manifest.json', content }]))).rejects.toEqual(
      refusal('modpacks.broken', /it has no modrinth\.index\.json/),
    )
})

const MIB = 1024 * 1024
it.each([
  ['opens lists in lists', '['.repeat(8 * MIB), 'modpacks.too-large'],
  ['lists very much that is empty', `[${'{},'.repeat(2.6 * MIB)}{}]`, 'modpacks.too-large'],
  ['lists very many numbers', `[${'1,'.repeat(4 * MIB - 10)}1]`, 'modpacks.too-large'],
  ['is a text without an end', `"${'\\"'.repeat(4 * MIB - 10)}`, 'modpacks.broken'],
  ['is too large', ' '.repeat(8 * MIB + 1), 'modpacks.too-large'],
])('an index that %s is refused before it is parsed', async (_what, index, code) => {
  await expect(open(await zipOf(['modrinth.index.json', index]))).rejects.toEqual(refusal(code, /./))
})

it('an index that is there twice is none', async () => {
  const one = ['modrinth.index.json', '{}'] as [string, string]
  await expect(open(await zipOf(one, one))).rejects.toEqual(refusal('modpacks.broken', /twice/))
})

/** Tells of mods whether they are for players alone, in a folder of their own. */
async function openMods(loader: string) {
  const [folder, reader] = [await temporaryFolder(), new JarReader(() => '')]
  onTestFinished(() => reader.close())
  const mods = new ClientOnlyMods(reader, loader, '')
  return async (name: string, text: string) => {
    const jar = path.join(folder, `${Math.random()}.jar`)
    await writeFile(jar, await zipOf([name, text]))
    return mods.has(jar)
  }
}

it('mods that say they are for players alone are known as their loader reads them', async () => {
  const [fabric, forge] = [await openMods('fabric'), await openMods('forge')]
  const about = (environment: string) => JSON.stringify({ id: 'a', version: '1', environment })
  expect(await fabric('fabric.mod.json', about('client'))).toBe(true)
  expect(await fabric('fabric.mod.json', about('*'))).toBe(false)
  // Mods are loaded whose JSON has line ends inside of texts.
  expect(
    await fabric('fabric.mod.json', '{"id":"a","description":"two\nlines","environment":"client"}'),
  ).toBe(true)
  expect(await fabric('META-INF/mods.toml', 'clientSideOnly=true\n[[mods]]\nmodId="a"')).toBe(false)
  expect(await forge('META-INF/mods.toml', 'clientSideOnly=true\n[[mods]]\nmodId="a"')).toBe(true)
})

it('a description that grows when it is read keeps neither the service nor the other mods', async () => {
  const has = await openMods('fabric')
  const aliases = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [n, name] of [...'bcdefghi'].entries()) {
    const former = `*${'abcdefghi'[n]}`
    aliases.push(`${name}: &${name} [${Array.from({ length: 9 }, () => former).join()}]`)
  }
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  onTestFinished(() => clearInterval(turning))
  const keys = Array.from({ length: 40_000 }, (_, n) => `k${n}: 1`).join('\n')
  for (const text of [
    `${aliases.join('\n')}\nenvironment: client`,
    keys,
    '['.repeat(400_000),
    '{a: '.repeat(100_000),
  ])
    expect(await has('fabric.mod.json', text)).toBe(false)
  expect(await has('fabric.mod.json', '{"id":"a","environment":"client"}')).toBe(true)
  // The service went on meanwhile.
  expect(turns).toBeGreaterThan(0)
}, 120_000)
