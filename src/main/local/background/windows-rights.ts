import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { win32 } from 'node:path'
import { promisify } from 'node:util'

/** What these programs are given to answer, in ms, and what they may say, in bytes. */
const BOUNDS = { timeout: 15_000, maxBuffer: 256 * 1024, windowsHide: true }

const bounded: NonNullable<RightsPorts['run']> = (file, args) => promisify(execFile)(file, args, BOUNDS)

/** Whose session this is, as `DOMAIN\\name`. */
export function windowsUser({ USERDOMAIN = '', USERNAME = userInfo().username }: NodeJS.ProcessEnv): string {
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME
}

/** A program of Windows, by its path: this folder, or one that the person works in, may hold another one of that name. */
export const windowsProgram = (env: NodeJS.ProcessEnv, name: string): string =>
  win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', name)

interface RightsPorts {
  platform?: NodeJS.Platform
  env?: NodeJS.ProcessEnv
  /** Runs a program of the system; rejects where it fails. */
  run?: (file: string, args: readonly string[]) => Promise<unknown>
}

/**
 * Leaves a file to this user alone on Windows, whose folder may let others in; elsewhere its mode says so already. Rejects
 * with a sentence where the system refuses, as on a drive that knows no rights: no secret is to be written there.
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
