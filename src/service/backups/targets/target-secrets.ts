import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { TargetPlace } from '../../../contract/areas/backup-targets.ts'
import { refusal } from '../../../host/refusal.ts'
import { sshConfig, targetFiles } from './target-place.ts'

const run = promisify(execFile)
const LIMIT = { timeout: 20_000, windowsHide: true, maxBuffer: 100_000 }
const PRIVATE = { mode: 0o600, flush: true }
const PRIVATE_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY-----/

const NEEDED: Partial<Record<TargetPlace['kind'], true>> = {
  s3: true,
  b2: true,
  azure: true,
  gcs: true,
  rclone: true,
}

/** Throws 422 `backups.target-secret` if one is needed. */
export function requireSecret({ kind, ...place }: TargetPlace, secret: string | null): void {
  const isNeeded = NEEDED[kind] || ('user' in place && place.user !== undefined && kind === 'rest')
  if (isNeeded && secret === null) throw refusal(422, 'backups.target-secret').at('secret')
}

/** Writes what restic and ssh read. Without a secret, SFTP gets a key of its own. */
export async function writeSecret(folder: string, place: TargetPlace, secret: string | null): Promise<void> {
  const files = targetFiles(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (place.kind !== 'sftp') {
    if (secret !== null) await writeFile(files.secret, secret, PRIVATE)
    return
  }
  await rm(files.sshKey, { force: true })
  await rm(`${files.sshKey}.pub`, { force: true })
  await rm(files.secret, { force: true })
  const isKey = secret !== null && PRIVATE_KEY.test(secret)
  if (secret === null) await makeKey(files.sshKey)
  else await writeFile(isKey ? files.sshKey : files.secret, `${secret.trimEnd()}\n`, PRIVATE)
  await writeFile(files.askPass, askPass(files.secret), { mode: 0o700 })
  await chmod(files.askPass, 0o700)
  await writeFile(files.sshConfig, sshConfig(place, secret !== null && !isKey, files), PRIVATE)
}

async function makeKey(file: string): Promise<void> {
  try {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'wheelhouse', '-f', file], LIMIT)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? refusal(409, 'backups.target-program', { program: 'ssh' }) : error
  }
}

/** ssh runs it for the password, which is in no argument. */
const askPass = (secret: string): string =>
  process.platform === 'win32'
    ? `@type "${secret.replaceAll('%', '%%')}"\r\n`
    : `#!/bin/sh\nexec cat '${secret.replaceAll("'", `'\\''`)}'\n`

export const readSecret = (folder: string): Promise<string | null> =>
  readFile(targetFiles(folder).secret, 'utf8').then(
    (text) => text.trimEnd(),
    () => null,
  )

export const publicKeyOf = (folder: string): Promise<string | null> =>
  readFile(`${targetFiles(folder).sshKey}.pub`, 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

/** `SHA256:…`, as ssh shows it; null before it was reached. */
export async function hostKeyOf(folder: string): Promise<string | null> {
  try {
    const { stdout } = await run('ssh-keygen', ['-l', '-f', targetFiles(folder).knownHosts], LIMIT)
    return /SHA256:\S{1,100}/.exec(stdout)?.[0] ?? null
  } catch {
    return null
  }
}

export const forgetHostKey = (folder: string): Promise<void> =>
  rm(targetFiles(folder).knownHosts, { force: true })
