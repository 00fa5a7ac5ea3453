import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readDataFile, writeDataFile } from '../../../host/data-file.ts'
import type { BackgroundUnit } from './background-unit.ts'
import { launchdAgent, scheduledTask, systemdUnit } from './unit-texts.ts'
import { windowsProgram, windowsUser } from './windows-rights.ts'

/** What these programs are given to answer, in ms, and what they may say, in bytes. */
const BOUNDS = { timeout: 15_000, maxBuffer: 256 * 1024, windowsHide: true }

export interface SystemUnitPorts {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  /** The panel's folder. Each has a background service of its own. */
  dataDir: string
  /** The program that is started in the background, with its arguments. */
  program: readonly string[]
  /** Runs a program of the system; rejects where it fails. */
  run?: (file: string, args: readonly string[]) => Promise<{ stdout: string }>
}

/** The background service as this system runs it; null where it has nothing for that. */
export function systemUnit(ports: SystemUnitPorts): BackgroundUnit | null {
  const { platform, env } = ports
  const run = ports.run ?? ((file, args) => promisify(execFile)(file, args, { ...BOUNDS, env }))
  const all = { ...ports, run, name: nameOf(ports.dataDir) }
  if (platform === 'linux') return linuxUnit(all)
  if (platform === 'darwin') return macUnit(all)
  return platform === 'win32' ? windowsUnit(all) : null
}

type All = Required<SystemUnitPorts> & { name: string }

/** One name for one folder, of letters and digits alone: it is an argument of programs. */
const nameOf = (dataDir: string): string =>
  `wheelhouse-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`

/** Where the user's systemd looks for units. */
const systemdFolder = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'systemd', 'user')

function linuxUnit({ env, program, name, run }: All): BackgroundUnit {
  const unit = `${name}.service`
  const file = join(systemdFolder(env), unit)
  const systemctl = (...args: string[]) => run('systemctl', ['--user', '--no-ask-password', ...args])
  const prepare = async () => {
    const text = systemdUnit(program)
    // Asked first: where nothing answers, nothing is left behind.
    await systemctl('show-environment')
    await write(file, text)
    await systemctl('daemon-reload')
  }
  return {
    prepare,
    async start() {
      await prepare()
      // One that failed too often would not be started.
      await systemctl('reset-failed', unit).catch(() => undefined)
      await systemctl('start', '--no-block', unit)
    },
    async kill() {
      // Told to stop, it is not started again. The service notices that its parent is gone, and still saves worlds.
      await systemctl('stop', '--no-block', unit)
      await systemctl('kill', '--kill-who=main', '--signal=SIGKILL', unit)
    },
    async remove() {
      await rm(file, { force: true })
      await systemctl('daemon-reload')
    },
  }
}

function macUnit({ dataDir, program, name, run }: All): BackgroundUnit {
  const label = `org.wheelhouse.${name}`
  // Not where launchd looks by itself: the agent is there for as long as this session, and is known by being told.
  const file = join(dataDir, `${label}.plist`)
  const domain = `gui/${userInfo().uid}`
  const launchctl = (...args: string[]) => run('launchctl', args)
  /** What launchd makes of it. One that runs has a process. */
  const state = (): Promise<'unknown' | 'idle' | 'running'> =>
    launchctl('print', `${domain}/${label}`).then(
      ({ stdout }) => (/^\s*pid = \d/m.test(stdout) ? 'running' : 'idle'),
      () => 'unknown',
    )
  const prepare = async () => {
    const text = launchdAgent(label, program)
    const now = await state()
    if (now !== 'unknown' && (await readDataFile(file).catch(() => null)) === text) return
    // `bootout` would end it with its servers: the next one is as it should be.
    if (now === 'running') return
    if (now === 'idle') await launchctl('bootout', `${domain}/${label}`)
    // Only now: a file that says this is one that launchd was told of, or knows nothing of.
    await write(file, text)
    await launchctl('bootstrap', domain, file)
  }
  return {
    prepare,
    async start() {
      await prepare()
      await launchctl('kickstart', `${domain}/${label}`)
    },
    kill: async () => void (await launchctl('kill', 'SIGKILL', `${domain}/${label}`)),
    async remove() {
      // One that runs is known until the session ends, and starts nothing by itself.
      if ((await state()) === 'idle') await launchctl('bootout', `${domain}/${label}`)
      await rm(file, { force: true })
    },
  }
}

function windowsUnit({ dataDir, env, program, name, run }: All): BackgroundUnit {
  const task = `Wheelhouse\\${name}`
  const file = join(dataDir, `${name}.xml`)
  const schtasks = (...args: string[]) => run(windowsProgram(env, 'schtasks.exe'), args)
  const prepare = async () => {
    const text = `\ufeff${scheduledTask(windowsUser(env), program)}`
    writeDataFile(file, text, 'utf16le')
    await schtasks('/Create', '/TN', task, '/XML', file, '/F')
  }
  return {
    prepare,
    async start() {
      await prepare()
      await schtasks('/Run', '/TN', task)
    },
    kill: async () => void (await schtasks('/End', '/TN', task)),
    async remove() {
      await schtasks('/Delete', '/TN', task, '/F')
      await rm(file, { force: true })
    },
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  writeDataFile(file, text)
}
