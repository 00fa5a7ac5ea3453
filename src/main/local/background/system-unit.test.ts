import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemUnit } from './system-unit.ts'

/** A launchd that knows an agent or not, which runs or not, and writes down what it is told. */
async function launchd() {
  const dataDir = await mkdtemp(join(tmpdir(), 'launchd-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const told: string[] = []
  const job = { isKnown: false, isRunning: false }
  const run = async (_file: string, [verb = '']: readonly string[]) => {
    if (verb !== 'print') told.push(verb)
    if (verb === 'print' && !job.isKnown) throw new Error('Could not find service')
    if (verb === 'bootstrap') job.isKnown = true
    if (verb === 'bootout') job.isKnown = job.isRunning = false
    if (verb === 'kickstart') job.isRunning = true
    const stdout = job.isRunning ? 'x = {\n\tstate = running\n\tpid = 4711\n}\n' : 'x = {\n\truns = 0\n}\n'
    return { stdout }
  }
  const unit = (program: string) =>
    systemUnit({ platform: 'darwin', env: {}, dataDir, program: [program], run })!
  return { unit, told, job, dataDir }
}

it('launchd is not told to forget an agent that runs: it would end it, with its servers', async () => {
  const { unit, told, job, dataDir } = await launchd()
  await unit('/old').start()
  await unit('/new').prepare()
  await unit('/new').remove()
  expect(told).toEqual(['bootstrap', 'kickstart'])
  expect(await readdir(dataDir)).toEqual([])
  job.isRunning = false
  await unit('/new').prepare()
  await unit('/new').remove()
  expect(told.slice(2)).toEqual(['bootout', 'bootstrap', 'bootout'])
})

/** A system that answers everything, and what it was told. */
async function recorder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv) {
  const dataDir = await mkdtemp(join(tmpdir(), 'system-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const ran: string[] = []
  const run = async (file: string, args: readonly string[]) => {
    ran.push([file, ...args].join(' '))
    return { stdout: '' }
  }
  const program = ['/opt/wheelhouse', '--service']
  const all = platform === 'linux' ? { ...env, XDG_CONFIG_HOME: dataDir } : env
  return { ran, dataDir, unit: systemUnit({ platform, env: all, dataDir, program, run })! }
}

it('systemd is asked before anything is written, told of the unit, and told to start it alone', async () => {
  const { ran, unit, dataDir } = await recorder('linux', {})
  await unit.start()
  const [name = ''] = await readdir(join(dataDir, 'systemd/user'))
  expect(name).toMatch(/^wheelhouse-[0-9a-f]{12}\.service$/)
  const ctl = 'systemctl --user --no-ask-password'
  expect(ran).toEqual([
    `${ctl} show-environment`,
    `${ctl} daemon-reload`,
    `${ctl} reset-failed ${name}`,
    `${ctl} start --no-block ${name}`,
  ])
  expect(await readFile(join(dataDir, 'systemd/user', name), 'utf8')).toContain(
    'ExecStart=":/opt/wheelhouse" "--service"',
  )
  await unit.remove()
  expect(await readdir(join(dataDir, 'systemd/user'))).toEqual([])
})

it('Windows is told of a task by a file in UTF-16, by the path of its own program', async () => {
  const env = { SystemRoot: 'D:\\Windows', USERDOMAIN: 'HOME', USERNAME: 'Ann' }
  const { ran, unit, dataDir } = await recorder('win32', env)
  await unit.start()
  await unit.kill()
  const [file = ''] = (await readdir(dataDir)).filter((name) => name.endsWith('.xml'))
  const task = `Wheelhouse\\${file.replace('.xml', '')}`
  const schtasks = 'D:\\Windows\\System32\\schtasks.exe'
  expect(ran).toEqual([
    `${schtasks} /Create /TN ${task} /XML ${join(dataDir, file)} /F`,
    `${schtasks} /Run /TN ${task}`,
    `${schtasks} /End /TN ${task}`,
  ])
  const text = await readFile(join(dataDir, file), 'utf16le')
  expect(text.startsWith('\ufeff<?xml version="1.0" encoding="UTF-16"?>')).toBe(true)
  expect(text).toContain('<UserId>HOME\\Ann</UserId>')
  await unit.remove()
  expect(ran.at(-1)).toBe(`${schtasks} /Delete /TN ${task} /F`)
})
