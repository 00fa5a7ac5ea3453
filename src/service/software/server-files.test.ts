import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestFiles } from '../files/files.fixture.ts'
import { propertiesIn } from '../worlds/server-properties.ts'
import { isEulaAgreed, writeEula, writeSettings } from './server-files.ts'

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
  writeFileSync(at('eula.txt'), '#By changing\n#Mon Nov 23\neula=false\n')
  expect(await isEulaAgreed(files)).toBe(false)
  await writeEula(files)
  expect(readFileSync(at('eula.txt'), 'utf8')).toBe('#By changing\n#Mon Nov 23\neula=true\n')
})
