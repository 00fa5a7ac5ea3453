import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../src/host/temporary.fixture.ts'
import { readSign } from '../../src/service/worlds/logs/log-lines.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { javaServerJar } from './java-server.ts'
import { startJava, startJavaServer } from './running-java-server.ts'

test('the Java program starts, answers commands in the words of Minecraft, and stops by its own command', async () => {
  const folder = temporary()
  const server = startJavaServer(await javaServerJar({ kind: 'paper' }), folder, {
    'server-port': ownPort(),
    motd: 'Hëllo',
    'a-plugins-own': 'kept',
  })
  await server.line(/^\[\d\d:\d\d:\d\d INFO\]: Done \([\d.]+s\)! For help, type "help"$/)
  const asked = [
    'save-off',
    'save-all flush',
    'save-on',
    'save-on',
    'join Steve',
    'list',
    'say hi',
    'leave Steve',
  ]
  for (const command of asked) server.type(command)
  server.type('stop')
  expect(await server.ended).toBe(0)
  const said = server.lines.map((line) => line.replace(/^\[[^\]]+\]: /, ''))
  for (const words of [
    'Automatic saving is now disabled',
    'Saved the game',
    'Automatic saving is now enabled',
    'Saving is already turned on',
    'There are 1 of a max of 20 players online: Steve',
    '[Server] hi',
  ])
    expect(said).toContain(words)
  const signs = server.lines.map(readSign).filter((sign) => sign !== null)
  expect(signs.map(({ kind }) => kind)).toEqual([
    ...['online', 'known', 'joined', 'joined', 'left', 'left', 'stopping', 'stopping'],
  ])
  const settings = readFileSync(join(folder, 'server.properties'), 'utf8')
  expect(settings).toContain('motd=Hëllo\n')
  expect(settings).toContain('a-plugins-own=kept\n')
})

test('without an agreement to the EULA it writes the file, says so, and ends', async () => {
  const folder = temporary()
  const jar = await javaServerJar({ kind: 'vanilla' })
  const server = startJava(['-jar', jar, 'nogui'], folder)
  expect(await server.ended).toBe(0)
  expect(server.lines.at(-1)).toMatch(
    /^\[\d\d:\d\d:\d\d\] \[main\/INFO\]: You need to agree to the EULA in order to run the server\. Go to eula\.txt for more info\.$/,
  )
  expect(readFileSync(join(folder, 'eula.txt'), 'utf8')).toMatch(/\neula=false\n$/)
})

test('a main class whose bytes say a later Java is refused by the real one', async () => {
  const jar = await javaServerJar({ kind: 'fabric', classVersion: 99 })
  const server = startJava(['-jar', jar], temporary())
  expect(await server.ended).toBe(1)
  expect(server.lines.join('\n')).toContain('(class file version 99.0)')
})

test('the installer of NeoForge leaves args files with which the server starts, and it crashes on purpose', async () => {
  const folder = temporary()
  const jar = await javaServerJar({ kind: 'neoforge', version: '1.21.1', build: '21.1.77' })
  expect(await startJava(['-jar', jar, '--installServer'], folder).ended).toBe(0)
  expect(existsSync(join(folder, 'run.sh'))).toBe(true)
  const unixArgs = '@libraries/net/neoforged/neoforge/21.1.77/unix_args.txt'
  writeFileSync(join(folder, 'eula.txt'), 'eula=true')
  writeFileSync(join(folder, 'server.properties'), `server-port=${ownPort()}\nserver-ip=127.0.0.1\n`)
  const server = startJava(['@user_jvm_args.txt', unixArgs, 'nogui'], folder)
  await server.line(/^\[[^\]]+\] \[Server thread\/INFO\] \[[^\]]+\]: Done \(/)
  server.type('crash client-neoforge')
  expect(await server.ended).toBe(1)
  const [report] = readdirSync(join(folder, 'crash-reports'))
  expect(readFileSync(join(folder, 'crash-reports', report!), 'utf8')).toContain(
    'invalid dist DEDICATED_SERVER',
  )
})
