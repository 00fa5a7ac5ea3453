import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { win32 } from 'node:path'
import { promisify } from 'node:util'

const BOUNDS = { timeout: 15_000, maxBuffer: 256 * 1024, windowsHide: true }

const bounded: NonNullable<RightsPorts['run']> = (file, args) => promisify(execFile)(file, args, BOUNDS)

export function windowsUser({ USERDOMAIN = '', USERNAME = userInfo().username }: NodeJS.ProcessEnv): string {
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME
}

/** Absolute, since the current folder may contain a program of the same name. */
export const windowsProgram = (env: NodeJS.ProcessEnv, name: string): string =>
  win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', name)

interface RightsPorts {
  platform?: NodeJS.Platform
  env?: NodeJS.ProcessEnv
  run?: (file: string, args: readonly string[]) => Promise<unknown>
}

/**
 * Restricts a file to this user on Windows; elsewhere its mode does. Rejects if the system cannot, as on drives without
 * permissions: then no secret may be written.
 */
export async function onlyForMe(
  file: string,
  { platform = process.platform, env = process.env, run = bounded }: RightsPorts = {},
): Promise<void> {
  if (platform !== 'win32') return
  const args = [file, '/inheritance:r', '/grant:r', `${windowsUser(env)}:F`]
  try {
    await run(windowsProgram(env, 'icacls.exe'), args)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The service cannot run in the background: Windows did not let the file ${file} be readable by you alone (${why}). Turn off keeping servers running, or keep Wheelhouse’s data on a drive with NTFS.`,
      { cause: error },
    )
  }
}
