import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { refusal } from '../../../../host/refusal.ts'

export interface FoundRestic {
  executable: string
  version: string
}

interface FindOptions {
  /** Set by the owner: no other is looked for. */
  chosen: string | null
  /** One that was fetched; used where PATH has none. */
  fetched?: string | null
  searchPath?: string
}

/** The first with repositories that compress. */
const NEEDED = '0.14.0'
const VERSION_MS = 10_000
const NAME = process.platform === 'win32' ? 'restic.exe' : 'restic'

const run = promisify(execFile)

/** Rejects with Refusal 409 if there is none that can be used. */
export async function findRestic({ chosen, fetched, searchPath }: FindOptions): Promise<FoundRestic> {
  if (chosen !== null && !(await isProgram(chosen)))
    throw refusal(409, 'backups.restic-missing.chosen', { path: chosen })
  const folders = (searchPath ?? process.env.PATH ?? '').split(path.delimiter)
  const known = folders.filter((folder) => path.isAbsolute(folder)).map((folder) => path.join(folder, NAME))
  const candidates = chosen !== null ? [chosen] : [...known, ...(fetched ? [fetched] : [])]
  let first: Error | null = null
  for (const executable of candidates) {
    if (!(await isProgram(executable))) continue
    try {
      return { executable, version: await usableVersion(executable) }
    } catch (error) {
      first ??= error as Error
    }
  }
  throw first ?? refusal(409, 'backups.restic-missing')
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function usableVersion(executable: string): Promise<string> {
  const said = await run(executable, ['version'], {
    ...{ timeout: VERSION_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, windowsHide: true },
    env: { ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }) },
  }).catch(() => null)
  const version = /^restic (\d{1,4}\.\d{1,4}\.\d{1,4})/.exec(said?.stdout ?? '')?.[1]
  if (version === undefined) throw refusal(409, 'backups.restic-missing.unusable', { path: executable })
  if (version.localeCompare(NEEDED, 'en', { numeric: true }) < 0)
    throw refusal(409, 'backups.restic-too-old', { version, needed: NEEDED.replace(/\.0$/, '') })
  return version
}
