import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DOMParser } from '@xmldom/xmldom'
import { expect, it, onTestFinished } from 'vitest'
import { launchdAgent, scheduledTask, systemdUnit } from './unit-texts.ts'

const run = promisify(execFile)
const words = ['--service', '--data', `/home/Zoë & Söhne/100% "mine" <x> it's $HOME \\ end\\`]

it('a unit of systemd starts one program with its words as they are', () => {
  expect(systemdUnit(['/opt/My Panel/wheelhouse', ...words])).toContain(
    String.raw`ExecStart=":/opt/My Panel/wheelhouse" "--service" "--data" "/home/Zoë & Söhne/100%% \"mine\" <x> it's $HOME \\ end\\"` +
      '\n',
  )
})

it('a unit of systemd leaves the servers to the service, also where another program of it ends', () => {
  expect(systemdUnit(['/opt/wheelhouse']).split('\n')).toEqual(
    expect.arrayContaining(['KillMode=process', 'OOMPolicy=continue']),
  )
})

it.runIf(process.platform === 'linux')('systemd itself finds nothing wrong with it', async (test) => {
  const folder = await mkdtemp(join(tmpdir(), 'unit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'Zoë & Söhne 100% $x', 'wheelhouse')
  await mkdir(join(program, '..'))
  await copyFile('/bin/true', program)
  const verify = (text: string) =>
    writeFile(join(folder, 'wheelhouse.service'), text).then(() =>
      run('systemd-analyze', ['--user', 'verify', join(folder, 'wheelhouse.service')], {
        env: { ...process.env, XDG_RUNTIME_DIR: folder },
      }),
    )
  const answer = await verify(systemdUnit([program, ...words])).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!answer) return test.skip('There is no systemd on this computer.')
  expect(answer.stderr).toBe('')
  await expect(verify(systemdUnit([`${program} is not there`]))).rejects.toMatchObject({
    stderr: expect.stringContaining('not executable'),
  })
})

const texts = (xml: string, tag: string) =>
  Array.from(new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName(tag)).map(
    (element) => element.textContent,
  )

it('an agent of launchd has every word as one string', () => {
  const program = ['/Applications/Wheelhouse.app/x', ...words]
  expect(texts(launchdAgent('org.wheelhouse.a', program), 'string')).toEqual(['org.wheelhouse.a', ...program])
  expect(launchdAgent('org.wheelhouse.a', program)).not.toContain('RunAtLoad')
})

it('a task of Windows has the program, and its words as programs read them', () => {
  const xml = scheduledTask('PC\\Zoë & Co', [
    'C:\\Program Files\\W & H\\Wheelhouse.exe',
    '--data',
    'C:\\a "b"\\',
  ])
  expect(texts(xml, 'Command')).toEqual(['C:\\Program Files\\W & H\\Wheelhouse.exe'])
  expect(texts(xml, 'Arguments')).toEqual(['"--data" "C:\\a \\"b\\"\\\\"'])
  expect(texts(xml, 'UserId')).toEqual(['PC\\Zoë & Co'])
  expect(xml).not.toContain('Trigger')
})

it('a program that systemd takes under no name is refused, not written', () => {
  for (const file of ["/it's", '/a "b"', '/a\\b']) expect(() => systemdUnit([file])).toThrow('cannot start')
})

it.each(['/a\nExecStartPre=/bin/evil', '/a\0b', '/a\u0007'])(
  'a path with a control character is refused',
  (path) => {
    for (const write of [
      systemdUnit,
      (p: string[]) => launchdAgent('a', p),
      (p: string[]) => scheduledTask('a', p),
    ])
      expect(() => write([path])).toThrow('cannot start')
  },
)
