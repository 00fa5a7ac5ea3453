import { execFile } from 'node:child_process'
import type { ProgramSpec } from '../programs/driver.ts'
import { programEnvironment } from './program-environment.ts'

const TEST_MS = 5_000

/** What needs the rights to set it up gives them up again. The process stays the same one. */
const BEGIN = `PATH="$PATH:/usr/sbin:/sbin" ip link set lo up &&
exec setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all -- "$@"`

const within = <T extends Pick<ProgramSpec, 'file' | 'args'>>(program: T): T => ({
  ...program,
  file: 'unshare',
  args: [
    ...['--user', '--map-current-user', '--keep-caps', '--net', '--', 'sh', '-c', BEGIN, 'sh'],
    ...[program.file, ...program.args],
  ],
})

let isPossible: Promise<boolean> | null = null

/** The program in a network of its own that has only its loopback. Null where that can't be had. */
export async function withoutNetwork(program: ProgramSpec): Promise<ProgramSpec | null> {
  isPossible ??= tested()
  return (await isPossible) ? within(program) : null
}

async function tested(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const { variables: env } = await programEnvironment()
  const { file, args } = within({ file: 'true', args: [] })
  return new Promise((resolve) => execFile(file, args, { env, timeout: TEST_MS }, (error) => resolve(!error)))
}
