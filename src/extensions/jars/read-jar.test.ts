import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { type JarOfExtension, pluginJar } from '../../../tests/fixtures/extension-jar.ts'
import { ODD_ENTRIES, rawZip } from '../../../tests/fixtures/raw-zip.ts'
import { temporaryFolder } from '../../service/service.fixture.ts'
import { readJar } from './read-jar.ts'

async function read(bytes: Buffer) {
  const file = path.join(await temporaryFolder(), 'one.jar')
  await writeFile(file, bytes)
  await using handle = await open(file)
  return await readJar(handle.fd, bytes.length)
}

const factsIn = async (bytes: Buffer) => (await read(bytes)).facts

async function jarOf(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const readOne = async (entries: Record<string, string | Buffer>) => (await factsIn(await jarOf(entries)))?.[0]

it.each<[string, Partial<JarOfExtension>, object]>([
  [
    'bukkit',
    {},
    { id: 'My Shop', needs: [{ id: 'Vault', range: null, kind: 'required' }], apiVersion: '1.20' },
  ],
  ['paper', {}, { id: 'My Shop', needs: [{ id: 'Vault', range: null, kind: 'required' }] }],
  ['velocity', {}, { id: 'my-shop', needs: [{ id: 'vault', range: null, kind: 'required' }] }],
  ['fabric', {}, { id: 'my-shop', needs: [{ id: 'vault', range: null, kind: 'required' }] }],
  ['neoforge', { authors: [] }, { id: 'my_shop', needs: [{ id: 'vault', range: '[0,)', kind: 'required' }] }],
])('what %s describes is read', async (form, more, expected) => {
  const about = {
    name: 'My Shop',
    version: '1.2',
    description: 'Sells.',
    depends: ['Vault'],
    softDepends: ['X'],
  }
  const facts = await factsIn(await pluginJar({ ...about, form: form as 'bukkit', ...more }))
  expect(facts).toMatchObject([
    { format: form, name: 'My Shop', version: '1.2', description: 'Sells.', ...expected },
  ])
})

it('what Forge, Quilt and Bungee describe is read, and the version of the jar itself', async () => {
  const forge = `
modLoader="javafml"
clientSideOnly=true
[[mods]]
modId="big"
version="\${file.jarVersion}"
displayName="Big"
[[mods]]
modId="small"
[[dependencies.big]]
modId="minecraft"
mandatory=true
versionRange="[1.20,1.21)"
side="BOTH"
[[dependencies.big]]
modId="other"
mandatory=false
[[dependencies.big]]
modId="pictures"
mandatory=true
side="CLIENT"
`
  const manifest = 'Manifest-Version: 1.0\r\nImplementation-Version: 4.5.\r\n 6\r\n'
  expect(await readOne({ 'META-INF/mods.toml': forge, 'META-INF/MANIFEST.MF': manifest })).toMatchObject({
    ...{ format: 'forge', id: 'big', version: '4.5.6', provides: ['small'], side: 'client' },
    needs: [{ id: 'minecraft', range: '[1.20,1.21)', kind: 'required' }],
  })
  const quilt = {
    quilt_loader: {
      ...{ id: 'q', version: '1', metadata: { name: 'Q', contributors: { Ann: 'Owner' } } },
      depends: [{ id: 'g:a', versions: '>=1' }, 'b', { id: 'c', optional: true }],
    },
    minecraft: { environment: 'dedicated_server' },
  }
  expect(await readOne({ 'quilt.mod.json': JSON.stringify(quilt) })).toMatchObject({
    ...{ format: 'quilt', id: 'q', name: 'Q', authors: ['Ann'], side: 'server' },
    needs: [
      { id: 'a', range: '>=1', kind: 'required' },
      { id: 'b', range: null, kind: 'required' },
    ],
  })
  expect(await readOne({ 'bungee.yml': 'name: B\nversion: 1.10\ndepends: [X]\nauthor: Ann' })).toMatchObject({
    ...{ format: 'bungee', id: 'B', version: '1.10', authors: ['Ann'], needs: [{ id: 'X' }] },
  })
})

it('a jar with several descriptions has all of them, and mods inside of it count as there', async () => {
  const inner = await pluginJar({ name: 'Inner', version: '1', form: 'fabric' })
  const middle = await jarOf({
    'fabric.mod.json': JSON.stringify({ id: 'middle', version: '1' }),
    'META-INF/jars/inner.jar': inner,
  })
  const facts = await factsIn(
    await jarOf({
      'plugin.yml': 'name: All\nversion: 1',
      'velocity-plugin.json': '{"id":"all"}',
      'fabric.mod.json': '{"id":"all","version":"1","description":"two\nlines"}',
      'META-INF/jars/middle.jar': middle,
    }),
  )
  expect(facts?.map(({ format }) => format)).toEqual(['bukkit', 'velocity', 'fabric'])
  expect(facts?.[2]).toMatchObject({ provides: ['middle', 'inner'], description: 'two lines' })
})

it('what is broken, swollen or made to hold us up is no description, and costs nothing else', async () => {
  expect(await factsIn(Buffer.from('no jar'))).toBeNull()
  const whole = await jarOf({ 'plugin.yml': 'name: A' })
  expect(await factsIn(whole.subarray(0, whole.length - 5))).toBeNull()
  expect(await factsIn(await jarOf({ 'other.txt': 'x' }))).toEqual([])
  const lists = Array.from(
    { length: 9 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join()}]`,
  )
  for (const text of [
    `name: A\ndescription: ${'x'.repeat(600_000)}`,
    'name: [',
    `l0: &l0 [x, x]\n${lists.join('\n')}\nname: *l9`,
    `name: ${'['.repeat(50_000)}`,
  ])
    expect(
      await factsIn(await jarOf({ 'plugin.yml': text, 'velocity-plugin.json': '{"id":"good"}' })),
      text.slice(0, 30),
    ).toMatchObject([{ id: 'good' }])
  // Zeros that are a thousand times as large as they are in the jar.
  const bomb = await jarOf({
    'fabric.mod.json': '{"id":"a"}',
    'META-INF/jars/bomb.jar': Buffer.alloc(40_000_000),
  })
  expect(await factsIn(bomb)).toMatchObject([{ id: 'a', provides: [] }])
})

it('a jar that lies within itself again and again is read to some depth', async () => {
  let jar = await jarOf({ 'fabric.mod.json': '{"id":"m0"}' })
  for (let depth = 1; depth < 8; depth++)
    jar = await jarOf({ 'fabric.mod.json': `{"id":"m${depth}"}`, 'META-INF/jars/x.jar': jar })
  expect(await factsIn(jar)).toMatchObject([{ id: 'm7', provides: ['m6', 'm5', 'm4'] }])
})

it('names stay on one line and are cut off', async () => {
  const facts = await readOne({ 'plugin.yml': `name: "a\\n\\u0007b${'c'.repeat(500)}"\nversion: 2.10` })
  expect(facts?.name).toHaveLength(120)
  expect(facts?.name.startsWith('a bc')).toBe(true)
})

it('it is told why a jar cannot be read, and which description nobody can make sense of', async () => {
  const whole = await jarOf({ 'plugin.yml': 'name: A' })
  expect(await read(Buffer.alloc(0))).toMatchObject({ facts: null, why: 'empty' })
  expect(await read(Buffer.from('<html>Not found</html>'))).toMatchObject({ facts: null, why: 'not-zip' })
  expect(await read(Buffer.from('PK'))).toMatchObject({ facts: null, why: 'not-zip' })
  expect(await read(whole.subarray(0, whole.length - 5))).toMatchObject({ facts: null, why: 'damaged' })
  const overwritten = Buffer.from(whole)
  overwritten.fill(0xff, 30 + 'plugin.yml'.length, 30 + 'plugin.yml'.length + 4)
  expect(await read(overwritten)).toMatchObject({ facts: null, why: 'damaged' })
  expect(await read(await jarOf({ 'plugin.yml': 'name: [' }))).toEqual({
    ...{ facts: [], broken: 'plugin.yml', fault: 'syntax' },
  })
  expect(await read(await jarOf({ 'fabric.mod.json': '{}', 'a.txt': '' }))).toEqual({
    ...{ facts: [], broken: 'fabric.mod.json', fault: 'id' },
  })
  // Another description says what it is.
  const both = await jarOf({ 'plugin.yml': 'name: [', 'velocity-plugin.json': '{"id":"good"}' })
  expect(await read(both)).toMatchObject({ facts: [{ id: 'good' }], broken: null })
  expect(await read(await jarOf({ 'a.txt': '' }))).toEqual({ facts: [], broken: null, fault: null })
})

const BUKKIT = 'name: A\nversion: 1\nmain: a.B\n'
const PAPER = `${BUKKIT}api-version: '1.20'\n`
const FABRIC = { schemaVersion: 1, id: 'ab', version: '1' }
const VELOCITY = { id: 'a', main: 'a.B' }
const QUILT = { id: 'ab', group: 'a.b', version: '1' }
const FORGE = 'modLoader="javafml"\nloaderVersion="[47,)"\nlicense="MIT"\n'
const [BUKKIT_FILE, PAPER_FILE, FABRIC_FILE] = ['plugin.yml', 'paper-plugin.yml', 'fabric.mod.json']
const [QUILT_FILE, VELOCITY_FILE] = ['quilt.mod.json', 'velocity-plugin.json']
const [FORGE_FILE, NEOFORGE_FILE] = ['META-INF/mods.toml', 'META-INF/neoforge.mods.toml']
const quilt = (more: object = {}) => ({ schema_version: 1, quilt_loader: { ...QUILT, ...more } })

it.each<[file: string, text: string | object, fault: string | null]>([
  [BUKKIT_FILE, BUKKIT, null],
  [
    BUKKIT_FILE,
    'name: 007\nversion: 1.10\nmain: a\ndepend: []\ncommands: {a: , b: {usage: c}}\nload: start-up',
    null,
  ],
  [BUKKIT_FILE, `${BUKKIT}commands:\n  shop:\n\t\tusage: x\n`, 'syntax'],
  [BUKKIT_FILE, `${BUKKIT}authors: [A], B\n`, 'syntax'],
  [BUKKIT_FILE, `${BUKKIT}description: Shop: sells\n`, 'syntax'],
  [BUKKIT_FILE, `name: A b\n`, 'version'],
  [BUKKIT_FILE, 'name: A\nversion: ~\nmain: a.B\n', 'version'],
  [BUKKIT_FILE, 'name: A\nversion:\nmain: a.B\n', 'version'],
  [BUKKIT_FILE, 'name: A\nversion: 1\n', 'main'],
  [BUKKIT_FILE, 'name: A\nversion: 1\nmain: org.bukkit.a.B\n', 'main'],
  [BUKKIT_FILE, 'name: Grüße\nversion: 1\nmain: a.B\n', 'name'],
  [BUKKIT_FILE, 'name: "A/B"\nversion: 1\nmain: a.B\n', 'name'],
  [BUKKIT_FILE, `${BUKKIT}api-version: 1.20-R0.1\n`, 'api-version'],
  [BUKKIT_FILE, `${BUKKIT}api-version: 1.20.4\n`, null],
  [BUKKIT_FILE, `${BUKKIT}depend: Vault\n`, 'depend'],
  [BUKKIT_FILE, `${BUKKIT}softdepend: [Vault, ]\nauthors: A\n`, 'authors'],
  [BUKKIT_FILE, `${BUKKIT}depend:\n- Vault\n-\n`, 'depend'],
  [BUKKIT_FILE, `${BUKKIT}commands: [shop]\n`, 'commands'],
  [BUKKIT_FILE, `${BUKKIT}commands:\n  shop: Opens the shop.\n`, 'commands'],
  [BUKKIT_FILE, `${BUKKIT}load: LATER\n`, 'load'],
  [BUKKIT_FILE, `${BUKKIT}permissions: [a]\n`, 'permissions'],
  [PAPER_FILE, PAPER, null],
  [PAPER_FILE, BUKKIT, 'api-version'],
  [PAPER_FILE, PAPER.replace('name: A', 'name: A b'), 'name'],
  [PAPER_FILE, PAPER.replace('main: a', 'main: io.papermc.paper.a'), 'main'],
  ['bungee.yml', 'name: A b!\nmain: a.B\n', null],
  ['bungee.yml', 'name: A\n', 'main'],
  [VELOCITY_FILE, VELOCITY, null],
  [VELOCITY_FILE, `{id: a, 'main': "a.B",}`, null],
  [VELOCITY_FILE, { ...VELOCITY, id: 'My Shop' }, 'id'],
  [VELOCITY_FILE, { id: 'a' }, 'main'],
  [VELOCITY_FILE, { ...VELOCITY, dependencies: [{ id: 'Vault' }] }, 'dependencies'],
  [FABRIC_FILE, FABRIC, null],
  [
    FABRIC_FILE,
    `\ufeff${JSON.stringify({ ...FABRIC, description: 'a_b' }).replace('_', "\n\t\\'\\\\\n")} end`,
    null,
  ],
  [FABRIC_FILE, { schemaVersion: 1, id: 'ab' }, 'version'],
  [FABRIC_FILE, { id: 'ab' }, null],
  [FABRIC_FILE, { ...FABRIC, version: 1 }, 'version'],
  [FABRIC_FILE, { ...FABRIC, version: '' }, 'version'],
  [FABRIC_FILE, { ...FABRIC, id: 'Ab' }, 'id'],
  [FABRIC_FILE, { ...FABRIC, schemaVersion: 2 }, 'schemaVersion'],
  [FABRIC_FILE, { ...FABRIC, schemaVersion: '1' }, 'schemaVersion'],
  [FABRIC_FILE, { ...FABRIC, environment: 'both' }, 'environment'],
  [FABRIC_FILE, { ...FABRIC, depends: ['fabric-api'] }, 'depends'],
  [FABRIC_FILE, { ...FABRIC, entrypoints: [], mixins: {} }, 'entrypoints'],
  [FABRIC_FILE, { ...FABRIC, mixins: {} }, 'mixins'],
  [FABRIC_FILE, { ...FABRIC, name: null }, 'name'],
  [QUILT_FILE, quilt(), null],
  [QUILT_FILE, quilt({ group: undefined }), 'group'],
  [QUILT_FILE, quilt({ version: undefined }), 'version'],
  [QUILT_FILE, { quilt_loader: QUILT }, 'schema_version'],
  [FORGE_FILE, `${FORGE}[[mods]]\nmodId="ab"\n`, null],
  [FORGE_FILE, '[[mods]]\nmodId="ab"\n', 'modLoader'],
  [FORGE_FILE, `${FORGE}[[mods]]\nmodId="a"\n[[mods]]\nmodId="Big"\n`, 'modId'],
  [NEOFORGE_FILE, `license="MIT"\n[[mods]]\nmodId="ab"\n`, null],
  [NEOFORGE_FILE, '[[mods]]\nmodId="ab"\n', 'license'],
])('a fault is found if the server rejects it: %s, %j, %s', async (file, text, fault) => {
  const written = typeof text === 'string' ? text : JSON.stringify(text)
  const { facts } = await read(await jarOf({ [file]: written }))
  expect(facts).toMatchObject([{ fault }])
})

it.each<[file: string, text: string | Buffer, fault: string | null]>([
  [BUKKIT_FILE, '- a', 'syntax'],
  [BUKKIT_FILE, '', 'syntax'],
  [BUKKIT_FILE, 'version: 1\n', 'name'],
  [BUKKIT_FILE, 'name: null\n', 'name'],
  [BUKKIT_FILE, 'description: *bold*\n', 'syntax'],
  [BUKKIT_FILE, Buffer.from('\ufeffname: A', 'utf16le'), null],
  [BUKKIT_FILE, '[]'.repeat(100_000), null],
  [BUKKIT_FILE, `name: ${'x'.repeat(300_000)}`, null],
  [FABRIC_FILE, '{"schemaVersion":1,}', 'syntax'],
  [QUILT_FILE, '{', 'syntax'],
  // Forge's TOML parser may accept more than ours.
  [FORGE_FILE, 'a', null],
  [NEOFORGE_FILE, 'license="MIT"', 'mods'],
])(
  'an unusable description has a fault if the server certainly rejects it: %s, %#',
  async (file, text, fault) => {
    expect(await read(await jarOf({ [file]: text }))).toEqual({ facts: [], broken: file, fault })
  },
)

it("Bukkit rejects a plugin.yml that isn't UTF-8, Paper accepts such a paper-plugin.yml", async () => {
  const latin1 = (text: string) => Buffer.from(text + 'description: Grüße\n', 'latin1')
  expect(await readOne({ [BUKKIT_FILE]: latin1(BUKKIT) })).toMatchObject({ id: 'A', fault: 'syntax' })
  expect(await readOne({ [PAPER_FILE]: latin1(PAPER) })).toMatchObject({ id: 'A', fault: null })
})

it('a jar is read whatever other entries in it are called, as Java reads it', async () => {
  const described = { name: 'fabric.mod.json', content: '{"id":"slash","version":"1"}' }
  for (const odd of ODD_ENTRIES)
    expect(await factsIn(rawZip([odd, described])), String(odd.name)).toMatchObject([{ id: 'slash' }])
  // Java finds nothing under names that only look like the one it asks for.
  for (const name of ['/plugin.yml', 'META-INF\\..\\plugin.yml', './plugin.yml'])
    expect(await factsIn(rawZip([{ name, content: 'name: A\nversion: 1' }])), name).toEqual([])
})
