import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JavaSettings, openJavaSettings } from '../../../../tests/fixtures/java-settings.ts'
import { openTestFiles } from '../../files/files.fixture.ts'
import { propertiesIn } from '../../worlds/server-properties.ts'
import { isEulaAgreed, writeEula, writeSettings, writeSettingsToStart } from './server-files.ts'

let java: JavaSettings
beforeAll(async () => {
  java = await openJavaSettings()
})
afterAll(() => java.close())

async function someServer() {
  const { files, root, outside } = await openTestFiles()
  return { files, outside, at: (name: string) => join(root, name) }
}

async function changed(before: string | Buffer, settings: Record<string, string>): Promise<Buffer> {
  const { files, at } = await someServer()
  writeFileSync(at('server.properties'), before)
  await writeSettings(files, settings)
  return readFileSync(at('server.properties'))
}

test('settings are changed where they stand; comments, unknown keys, order, escapes and line ends stay', async () => {
  const before = [
    '#Minecraft server properties',
    '#server-port=1',
    'a-plugins-own = kept\\: as it is',
    'server-port=25565',
    '',
    'rcon.port=1',
    'rconxport=2',
    'motd=A \\u00A7lbold\\u00A7r one',
    'level-name=world',
  ].join('\r\n')
  const after = await changed(before, { 'server-port': '25570', 'rcon.port': '3', 'enable-rcon': 'false' })
  expect(after.toString()).toBe(
    `${before.replace('server-port=25565', 'server-port=25570').replace('rcon.port=1', 'rcon.port=3')}\r\nenable-rcon=false\r\n`,
  )
})

test.each(['utf8', 'latin1'] as const)('a file in %s stays in it', async (encoding) => {
  const before = Buffer.from('motd=Käse für alle\nserver-port=1\n', encoding)
  const after = await changed(before, { 'server-port': '2' })
  expect(after).toEqual(Buffer.from('motd=Käse für alle\nserver-port=2\n', encoding))
})

test('a value is written so that Java reads it back', async () => {
  const value = ' §6Gold\\$& = a:b\nsecond 日本'
  const after = (await changed('motd=old\n', { motd: value })).toString()
  expect(after).toBe('motd=\\ \\u00A76Gold\\\\$& = a:b\\nsecond \\u65E5\\u672C\n')
})

test('a value over several lines is one value, and nothing in it passes for a setting', async () => {
  const before = 'motd=first \\\n  server-port=9\nserver-port=1\n# no end \\\nmax-players=3\n'
  expect(propertiesIn(before)).toEqual(
    new Map([
      ['motd', 'first server-port=9'],
      ['server-port', '1'],
      ['max-players', '3'],
    ]),
  )
  expect((await changed(before, { 'server-port': '2', 'max-players': '4' })).toString()).toBe(
    before.replace('server-port=1', 'server-port=2').replace('players=3', 'players=4'),
  )
  expect((await changed(before, { motd: 'new' })).toString()).toBe(before.replace(/^.*\n.*\n/, 'motd=new\n'))
})

test('what is as it should be is not written again', async () => {
  const { files, at } = await someServer()
  writeFileSync(at('server.properties'), 'server-port = 25565')
  await writeSettings(files, { 'server-port': '25565' })
  expect(readFileSync(at('server.properties'), 'utf8')).toBe('server-port = 25565')
})

/** Ways to write a setting that a reader may miss, and what may stand around it. */
const disguised = (key: string, value: string) => [
  ...[
    `${key} ${value}`,
    `${key}\t${value}`,
    `${key}\f:${value}`,
    ` ${key} = ${value}`,
    `${key}=\\\n ${value}`,
  ],
  `${key[0]}\\${key.slice(1)}=${value}`,
  `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}:${value}`,
  `${key.slice(0, 4)}\\\r\n\t${key.slice(4)}=${value}`,
]
const AROUND = [
  ...['\n', '\r', '\r\n', '\\\n', '\\', '# c\\\n', '#c\r', 'motd=x\\\n', '\n\n', '\\\n#c\\\n', '\\\\\\\\\n'],
  ...['\ufeff', '\0', '\u00a0', '\v', '\f', 'motd=\\u12\n', 'x'.repeat(3000)],
]

test('whatever the file looks like, Java reads the address, the port and the switches that a start decides', async () => {
  const wanted = { 'server-ip': '127.0.0.1', 'server-port': '25570', 'enable-rcon': 'false', gone: null }
  const parts = fc.constantFrom(
    ...AROUND,
    ...['\n', '\n'],
    ...disguised('server-ip', '0.0.0.0'),
    ...disguised('enable-rcon', 'true'),
    ...disguised('gone', 'x'),
    ...['server-port=25570 ', 'server-ip=127.0.0.1', 'enable-rcon=false ', 'rcon.password=known'],
  )
  const { files, at } = await someServer()
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { maxLength: 12 }),
      fc.constantFrom('utf8', 'latin1'),
      async (all, encoding) => {
        const before = Buffer.from(
          `${all.join('')}${encoding === 'latin1' ? '\nmotd=\u00fc\n' : ''}`,
          encoding,
        )
        writeFileSync(at('server.properties'), before)
        const started = await writeSettingsToStart(files, () => wanted).then(
          () => 'written',
          (error: { code: string }) => error.code,
        )
        const read = await java.file(readFileSync(at('server.properties')))
        if (started !== 'written') {
          expect([started, await java.file(before)]).toEqual(['software.settings-damaged', null])
          return
        }
        for (const [key, value] of Object.entries(wanted))
          expect(read?.filter((one) => one[0] === key)).toEqual(value === null ? [] : [[key, value]])
      },
    ),
    { numRuns: 400 },
  )
})

test('a file that versions of Java read differently is written as the game writes it', async () => {
  const after = await changed('#c\n\\\n#c\\\nserver-ip=0.0.0.0\nmotd=\u00fc\n', { 'server-ip': '127.0.0.1' })
  expect(after.toString()).toBe('server-ip=127.0.0.1\nmotd=\\u00FC\n')
})

test('a server without settings gets them, and one whose settings cannot be used is told', async () => {
  const { files, outside, at } = await someServer()
  await writeSettings(files, { 'server-port': '25570' })
  expect(readFileSync(at('server.properties'), 'utf8')).toBe('server-port=25570\n')
  writeFileSync(at('server.properties'), Buffer.alloc(300 * 1024, 'x'))
  const damaged = { status: 409, code: 'software.settings-damaged' }
  await expect(writeSettings(files, { 'server-port': '1' })).rejects.toMatchObject(damaged)
  const target = join(outside, 'outside.txt')
  writeFileSync(target, 'eula=false')
  symlinkSync(target, at('eula.txt'))
  await expect(writeEula(files)).rejects.toMatchObject(damaged)
  expect(readFileSync(target, 'utf8')).toBe('eula=false')
})

test('the agreement to the EULA is written as Minecraft reads it', async () => {
  const { files, at } = await someServer()
  expect(await isEulaAgreed(files)).toBe(false)
  await writeEula(files)
  expect(readFileSync(at('eula.txt'), 'utf8')).toMatch(/^#[^\n]+aka\.ms\/MinecraftEULA\)\.\neula=true\n$/)
  expect(await isEulaAgreed(files)).toBe(true)
  for (const [said, isAgreed] of [
    ['eula TRUE', true],
    ['eula=true ', false],
    ['\ufeffeula=true', false],
  ] as const) {
    writeFileSync(at('eula.txt'), said)
    expect([said, await isEulaAgreed(files)]).toEqual([said, isAgreed])
  }
  writeFileSync(at('eula.txt'), '#By changing\n#Mon Nov 23\neula=false\n')
  expect(await isEulaAgreed(files)).toBe(false)
  await writeEula(files)
  expect(readFileSync(at('eula.txt'), 'utf8')).toBe('#By changing\n#Mon Nov 23\neula=true\n')
})
