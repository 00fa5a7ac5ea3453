import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporary } from '../../../host/temporary.fixture.ts'
import { javaProgram, type JavaStart } from './java-program.ts'

const start = (more: Partial<JavaStart> = {}) =>
  javaProgram({
    software: 'vanilla',
    version: '1.21.4',
    java: '/opt/jdk/bin/java',
    jvm: ['-Xmx2G'],
    entry: { form: 'jar', file: 'server.jar' },
    folder: '/srv/game 1',
    port: 25570,
    ...more,
  })

test('a jar is started by its own Java, in its folder, without a window', () => {
  expect(start()).toEqual({
    file: '/opt/jdk/bin/java',
    args: ['-Xmx2G', '-jar', 'server.jar', 'nogui'],
    cwd: '/srv/game 1',
    env: {},
    reads: ['/opt/jdk'],
  })
})

test('what Forge and NeoForge leave is started from its files of arguments, that of its owner before the limit of the server', () => {
  const files = ['user_jvm_args.txt', 'libraries/net/neoforged/neoforge/21.1.77/unix_args.txt']
  expect(start({ software: 'neoforge', entry: { form: 'args', files } }).args).toEqual([
    ...['@user_jvm_args.txt', '-Dterminal.jline=false', '-Dterminal.ansi=true', '-Xmx2G'],
    ...['@libraries/net/neoforged/neoforge/21.1.77/unix_args.txt', 'nogui'],
  ])
})

test('a heap that somebody has written into a file of arguments does not outdo the limit of the server, other flags hold', async () => {
  const folder = temporary()
  writeFileSync(path.join(folder, 'user_jvm_args.txt'), '# mine\n-Xmx96m\n-XX:MaxHeapSize=97m\n-Dmine=yes\n')
  writeFileSync(path.join(folder, 'unix_args.txt'), '-XshowSettings:all -version\n')
  const entry = { form: 'args' as const, files: ['user_jvm_args.txt', 'unix_args.txt'] }
  const { args } = start({ entry, folder, jvm: ['-Xmx64M'] })
  const { stderr } = await promisify(execFile)('java', args, { cwd: folder })
  expect(stderr).toMatch(/Max\. Heap Size: 64\.00M/)
  expect(stderr).toContain('mine = yes')
})

test('software that writes colors is told to, and a proxy is told its port and has no window to turn off', () => {
  for (const software of ['paper', 'folia', 'purpur', 'velocity', 'forge', 'neoforge', 'custom'])
    expect([software, start({ software }).args]).toEqual([
      software,
      expect.arrayContaining(['-Dterminal.jline=false', '-Dterminal.ansi=true']),
    ])
  expect(start({ software: 'custom' }).args.at(-1)).toBe('nogui')
  expect(start({ safely: true }).args.slice(-2)).toEqual(['nogui', '--safeMode'])
  for (const software of ['vanilla', 'fabric', 'quilt'])
    expect(start({ software }).args).not.toContain('-Dterminal.ansi=true')
  expect(start({ software: 'velocity', version: '3.4.0' }).args.slice(-3)).toEqual([
    ...['server.jar', '--port', '25570'],
  ])
})

test('Fabric and Quilt are started in English', () => {
  const english = ['-Duser.language=en']
  const language = { language: 'zh', country: 'TW' }
  expect(start({ software: 'fabric', language }).args.slice(0, 2)).toEqual([...english, '-Xmx2G'])
  expect(start({ software: 'quilt' }).args).toEqual(expect.arrayContaining(english))
  expect(start({ software: 'custom', loadsAs: 'fabric' }).args).toEqual(expect.arrayContaining(english))
  for (const software of ['vanilla', 'paper', 'velocity', 'neoforge', 'custom'])
    expect(start({ software, loadsAs: null }).args.join(' ')).not.toContain('user.language')
  expect(start({ language }).args.slice(0, 2)).toEqual(['-Duser.language=zh', '-Duser.country=TW'])
  expect(start({ language: { language: 'eo', country: null } }).args[1]).toBe('-Xmx2G')
})

test('a language in user_jvm_args.txt takes precedence', async () => {
  const folder = temporary()
  writeFileSync(path.join(folder, 'user_jvm_args.txt'), '-Duser.language=pl\n')
  writeFileSync(path.join(folder, 'args.txt'), '-XshowSettings:properties -version\n')
  const entry = { form: 'args' as const, files: ['user_jvm_args.txt', 'args.txt'] }
  const { args } = start({ software: 'quilt', entry, folder })
  const { stderr } = await promisify(execFile)('java', args, { cwd: folder })
  expect(stderr).toMatch(/user\.language = pl\b/)
})

test.each([
  ['1.7.10', true],
  ['1.17.1', true],
  ['1.18', true],
  ['1.18.1', false],
  ['1.18.2-rc1', false],
  ['1.20', false],
  ['1.21.11', false],
  ['26.1', false],
  ['21w44a', true],
])('the log of %s looks messages up: %s', (version, does) => {
  expect(start({ version }).args.includes('-Dlog4j2.formatMsgNoLookups=true')).toBe(does)
})

test("a folder that Paper's family refuses is named before it does", () => {
  for (const software of ['paper', 'folia', 'purpur'])
    for (const folder of ['/srv/so!/game', '/srv/c++'])
      expect(() => start({ software, folder })).toThrow(
        expect.objectContaining({
          status: 409,
          code: 'software.folder-name',
          message: expect.stringContaining(folder),
        }),
      )
  expect(start({ software: 'fabric', folder: '/srv/c++' }).cwd).toBe('/srv/c++')
})

test('a name never passes for a flag or for a file with arguments, nor leads out of the folder', () => {
  expect(start({ entry: { form: 'jar', file: '-version' } }).args).toContain('./-version')
  expect(start({ entry: { form: 'jar', file: '@args.jar' } }).args).toContain('./@args.jar')
  for (const file of [
    '',
    '/etc/x.jar',
    '../x.jar',
    'a/../../x.jar',
    'a\\..\\x.jar',
    'C:\\x.jar',
    '\\\\host\\x.jar',
  ]) {
    expect(() => start({ entry: { form: 'jar', file } })).toThrow('not in its folder')
    expect(() => start({ entry: { form: 'args', files: [file] } })).toThrow('not in its folder')
  }
})
