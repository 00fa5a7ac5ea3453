import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, join, win32 } from 'node:path'
import { promisify } from 'node:util'
import { readDataFile, writeDataFile } from '../../../host/data-file.ts'
import { launchdAgent, scheduledTask, systemdUnit } from './unit-texts.ts'

const BOUNDS = { timeout: 15_000, maxBuffer: 256 * 1024, windowsHide: true }

export interface SystemUnitPorts {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  dataDir: string
  program: readonly string[]
  run?: (file: string, args: readonly string[]) => Promise<{ stdout: string }>
}

export function systemUnit(ports: SystemUnitPorts): BackgroundUnit | null {
  const { platform, env } = ports
  const run = ports.run ?? ((file, args) => promisify(execFile)(file, args, { ...BOUNDS, env }))
  const all = { ...ports, run, name: nameOf(ports.dataDir) }
  if (platform === 'linux') return linuxUnit(all)
  if (platform === 'darwin') return macUnit(all)
  return platform === 'win32' ? windowsUnit(all) : null
}

type UnitContext = Required<SystemUnitPorts> & { name: string }

const nameOf = (dataDir: string): string =>
  `wheelhouse-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`

const systemdFolder = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'systemd', 'user')

function linuxUnit({ env, program, name, run }: UnitContext): BackgroundUnit {
  const unit = `${name}.service`
  const file = join(systemdFolder(env), unit)
  const systemctl = (...args: string[]) => run('systemctl', ['--user', '--no-ask-password', ...args])
  const prepare = async () => {
    const text = systemdUnit(program)
    // Check first, so nothing is written if systemd does not respond.
    await systemctl('show-environment')
    await write(file, text)
    await systemctl('daemon-reload')
  }
  return {
    prepare,
    async start() {
      await prepare()
      // Clears the failure limit that would block the start.
      await systemctl('reset-failed', unit).catch(() => undefined)
      await systemctl('start', '--no-block', unit)
    },
    async kill() {
      // Mark it stopped first, so it is not restarted. The service notices its parent's death and still saves worlds.
      await systemctl('stop', '--no-block', unit)
      await systemctl('kill', '--kill-who=main', '--signal=SIGKILL', unit)
    },
    async remove() {
      await rm(file, { force: true })
      await systemctl('daemon-reload')
    },
  }
}

function macUnit({ dataDir, program, name, run }: UnitContext): BackgroundUnit {
  const label = `org.wheelhouse.${name}`
  // Outside launchd's own folders: the agent exists for this session, after explicit registration.
  const file = join(dataDir, `${label}.plist`)
  const domain = `gui/${userInfo().uid}`
  const launchctl = (...args: string[]) => run('launchctl', args)
  const state = (): Promise<'unknown' | 'idle' | 'running'> =>
    launchctl('print', `${domain}/${label}`).then(
      ({ stdout }) => (/^\s*pid = \d/m.test(stdout) ? 'running' : 'idle'),
      () => 'unknown',
    )
  const prepare = async () => {
    const text = launchdAgent(label, program)
    const now = await state()
    if (now !== 'unknown' && (await readDataFile(file).catch(() => null)) === text) return
    // `bootout` would end it and its servers; the new file applies next time.
    if (now === 'running') return
    if (now === 'idle') await launchctl('bootout', `${domain}/${label}`)
    // Only now: the file must match what launchd knows.
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
      // A running one stays registered until the session ends, and starts nothing.
      if ((await state()) === 'idle') await launchctl('bootout', `${domain}/${label}`)
      await rm(file, { force: true })
    },
  }
}

function windowsUnit({ dataDir, env, program, name, run }: UnitContext): BackgroundUnit {
  const { USERDOMAIN = '', USERNAME = userInfo().username } = env
  const user = USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME
  // Absolute, since the current folder may contain a program of the same name.
  const schtasksFile = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'schtasks.exe')
  const task = `Wheelhouse\\${name}`
  const file = join(dataDir, `${name}.xml`)
  const schtasks = (...args: string[]) => run(schtasksFile, args)
  const prepare = async () => {
    const text = `\ufeff${scheduledTask(user, program)}`
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

export interface BackgroundUnit {
  /** Registers without starting. Rejects, changing nothing, if unsupported. */
  prepare(): Promise<void>
  /** No-op if running; resolves once the system has begun. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Unregisters; a running service continues. */
  remove(): Promise<void>
}
