import { expect, it } from 'vitest'
import { levelDat, zipOf } from '../../../../../tests/fixtures/moved-server.ts'
import { ODD_ENTRIES, rawZip } from '../../../../../tests/fixtures/raw-zip.ts'
import { findServerFolder } from './find-server.ts'
import { filesOf, ran } from './recognize.fixture.ts'

const { signal } = new AbortController()

const log = (line: string) => ({ 'logs/latest.log': `[12:00:00] [main/INFO]: ${line}\n` })
/** A jar with this main class, made for this major version of Java. */
const jarOf = (mainClass: string, java: number, more: Record<string, string> = {}) =>
  zipOf({
    'META-INF/MANIFEST.MF': `Manifest-Version: 1.0\r\nMain-Class: ${mainClass.slice(0, 10)}\r\n ${mainClass.slice(10)}\r\n`,
    [`${mainClass.replaceAll('.', '/')}.class`]: Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, java + 44]),
    ...more,
  })

it.each([
  ['neoforge', '1.21.1', { 'libraries/net/neoforged/neoforge/21.1.90/unix_args.txt': '' }],
  ['neoforge', '1.21', { 'libraries/net/neoforged/neoforge/21.0.5-beta/unix_args.txt': '' }],
  ['neoforge', '26.1', { 'libraries/net/neoforged/neoforge/26.1.0.3/unix_args.txt': '' }],
  ['forge', '1.20.1', { 'libraries/net/minecraftforge/forge/1.20.1-47.3.0/unix_args.txt': '' }],
  ['fabric', '1.21.4', { '.fabric/server/1.21.4-server.jar': '' }],
  ['purpur', '1.20.6', { 'version_history.json': '{"currentVersion":"git-Purpur-2233 (MC: 1.20.6)"}' }],
  ['paper', '1.21.4', { 'version_history.json': '{"currentVersion":"1.21.4-232-1a2b3c4 (MC: 1.21.4)"}' }],
  ['spigot', null, log('This server is running CraftBukkit version 4226-Spigot-1 (MC: 1.20.4)')],
  ['quilt', '1.20.4', log('Loading Minecraft 1.20.4 with Quilt Loader 0.26.0')],
  ['velocity', null, { 'velocity.toml': '' }],
  [null, '25w14a', log('Starting minecraft server version 25w14a')],
] as const)('%s %s is recognized by what lies in its folder', async (kind, version, entries) => {
  expect((await ran(entries as Record<string, string>)).software).toMatchObject({ id: kind, version })
})

it('nothing is recognized where traces say nothing, however they are written', async () => {
  const entries = {
    'version_history.json': '[]',
    'logs/latest.log': '\0'.repeat(200_000),
    'server.properties': '=\n\\',
  }
  expect((await ran(entries)).software).toBeNull()
})

it('the jar that scripts start goes before others, and tells version, kind and Java', async () => {
  const found = await ran({
    'server.jar': 'no jar',
    'old.jar': await jarOf('org.bukkit.craftbukkit.bootstrap.Main', 21),
    'mine.jar': await jarOf('io.papermc.paperclip.Main', 17, {
      'version.json': '{"id":"1.20.4","java_version":17}',
    }),
    'start.bat': 'REM java -Xmx1G -jar old.jar\r\njava -Xms512M -Xmx6144M -jar "mine.jar" nogui\r\n',
  })
  expect(found).toMatchObject({
    ...{ jar: { name: 'mine.jar', java: 17, version: '1.20.4' }, memoryMb: 6144 },
    software: { id: 'paper', version: '1.20.4' },
  })
})

it('scripts of nothing but ends of lines are read at once', { timeout: 10_000 }, async () => {
  const entries: Record<string, string> = { 'z.sh': ' \t# java -Xmx1G\n :: -Xmx2G\rjava -Xmx3G\n' }
  for (const [name, end] of Object.entries({ n: '\n', r: '\r', crlf: '\r\n', line: '\u2028', space: ' ' }))
    for (const again of ['a', 'b']) entries[`${name}-${again}.sh`] = end.repeat(65_536)
  expect((await ran(entries)).memoryMb).toBe(3072)
})

it('where no jar can be run, what is wrong with the likeliest is told', async () => {
  const found = await ran({ 'server.jar': await zipOf({ 'plugin.yml': '' }), 'z.jar': 'no jar' })
  expect(found.jar).toBeNull()
  expect(found.jarProblem).toMatch(/^server\.jar can't be run: it doesn't say what is to be started/)
})

it('a jar whose main class is not in it is none, unless it says where else', async () => {
  const manifest = 'Manifest-Version: 1.0\nMain-Class: net.fabricmc.Launch\n'
  expect((await ran({ 'a.jar': await zipOf({ 'META-INF/MANIFEST.MF': manifest }) })).jar).toBeNull()
  const launcher = await zipOf({ 'META-INF/MANIFEST.MF': `${manifest}Class-Path: libraries/a.jar\n` })
  expect((await ran({ 'a.jar': launcher })).jar).toMatchObject({ name: 'a.jar', java: 8 })
})

it('a list that cannot be read is not counted, and a remote console that is off is not mentioned', async () => {
  const found = await ran({
    ...{ 'server.properties': 'enable-rcon=false\n', 'ops.json': '{', 'whitelist.json': '{}' },
    'banned-players.json': '\0',
  })
  const unknown = { operators: null, whitelisted: null, banned: null }
  expect(found).toMatchObject({ ...unknown, whitelistOn: false, remoteConsole: false })
})

it('lists are counted behind a byte order mark and in Latin-1', async () => {
  const found = await ran({
    'server.properties': '',
    'ops.json': '\ufeff[{"name":"Ann"}]',
    'whitelist.json': Buffer.from('[{"name":"J\u00fcrgen"},{"name":"Eve"}]', 'latin1'),
  })
  expect(found).toMatchObject({ operators: 1, whitelisted: 2, banned: 0 })
})

it('the world that is loaded comes first, and the newest that saved one tells the version', async () => {
  const found = await ran({
    'server.properties': 'level-name=main',
    'archive/level.dat': levelDat('1.20.4'),
    'main/level.dat': levelDat('1.21.1'),
    'broken/level.dat': 'no world',
  })
  expect(found.worlds).toEqual([
    { name: 'main', version: '1.21.1' },
    { name: 'archive', version: '1.20.4' },
    { name: 'broken', version: null },
  ])
  expect(found.software).toMatchObject({ id: null, version: '1.21.1' })
})

it.each([
  ['', { 'server.properties': '', 'backup/server.properties': '' }],
  ['home/server', { 'home/server/eula.txt': '', '__MACOSX/home/server/server.properties': '' }],
  ['b', { 'a/readme.jar': '', 'b/server.properties': '', 'b/world/level.dat': '' }],
  ['saves', { 'saves/New World/level.dat': '' }],
  [null, { 'photos/beach.jpg': '', 'mods/server.properties': '' }],
] as const)('the server lies in "%s"', async (folder, entries) => {
  const found = await findServerFolder(await filesOf(entries), signal)
  expect(found?.path ?? null).toBe(folder)
})

it('the jar of a server is read whatever other entries in it are called', async () => {
  const main = 'net.fabricmc.installer.ServerLauncher'
  const jar = rawZip([
    ...ODD_ENTRIES,
    { name: 'META-INF/MANIFEST.MF', content: `Main-Class: ${main}\r\n` },
    {
      name: `${main.replaceAll('.', '/')}.class`,
      content: Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 17 + 44]),
    },
  ])
  const { jar: found, jarProblem } = await ran({ 'server.jar': jar })
  expect([found?.name, found?.java, jarProblem]).toEqual(['server.jar', 17, null])
})
