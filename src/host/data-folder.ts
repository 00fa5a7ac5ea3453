import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs'
import path, { join } from 'node:path'
import { reasonOf } from './disk-errors.ts'
import { StartProblem } from './start-problem.ts'
import { homedir } from 'node:os'

/**
 * Creates a data folder and its subfolders for this user only. Throws StartProblem `folder-not-writable`. An existing
 * folder with foreign content (`mark` is a file of ours) keeps its mode, since it may be a home folder. Files in it are
 * 0600 regardless.
 */
export function prepareFolder(folder: string, mark: string, inner: readonly string[]): string {
  const dataDir = path.resolve(folder)
  try {
    makeFolder(dataDir)
    const holds = readdirSync(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    const stat = statSync(dataDir)
    const ours = holds.length === 0 || holds.includes(mark)
    const shared = (stat.mode & 0o1000) !== 0
    if (ours && !shared && stat.uid === process.getuid?.()) chmodSync(dataDir, 0o700)
    for (const name of inner) makeInner(path.join(dataDir, name))
    return dataDir
  } catch (error) {
    if (error instanceof StartProblem) throw error
    throw new StartProblem(
      'folder-not-writable',
      `The data folder ${dataDir} cannot be used: ${reasonOf(error)}. Choose another with --data, or change its permissions.`,
      { cause: error },
    )
  }
}

function makeInner(folder: string): void {
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'EEXIST' })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (isBrokenLink(folder))
      throw new StartProblem(
        'folder-not-writable',
        `The folder ${folder} is a link to something that is not there, such as a disk that is not connected. Nothing was ` +
          'changed. Connect the disk or remove the link, then start again.',
        { cause: error },
      )
    const { code = '' } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' || code === 'ELOOP' ? 'it is not a folder' : reasonOf(error)
    throw new StartProblem(
      'folder-not-writable',
      `The folder ${folder} cannot be used: ${why}. Nothing was changed. Move it elsewhere or change its permissions, ` +
        'then start again.',
      { cause: error },
    )
  }
}

function isBrokenLink(folder: string): boolean {
  try {
    return lstatSync(folder).isSymbolicLink() && statSync(folder, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Step by step, because recursive `mkdir` never returns for a folder under /proc (Node 24). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

export function defaultFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Wheelhouse')
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), 'Wheelhouse')
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'wheelhouse')
}
