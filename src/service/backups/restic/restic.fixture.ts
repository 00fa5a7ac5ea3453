import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findRestic } from './program/find-restic.ts'
import { localRepository, ResticStore } from './restic-store.ts'

/** Null where this computer has none: only restic's own tests need it. */
export const restic = await findRestic({ chosen: null }).catch(() => null)
export const NO_RESTIC = 'restic is not installed here. On Debian: sudo apt-get install restic'

export const places = (folder: string) => ({
  folder: path.join(folder, 'store'),
  passwordFile: path.join(folder, 'password'),
  cache: path.join(folder, 'cache'),
})

export const resticStore = (folder: string, executable = restic!.executable): ResticStore =>
  new ResticStore(localRepository({ executable, ...places(folder) }), places(folder).folder)

export function environmentOf(folder: string): Record<string, string> {
  const { folder: store, passwordFile, cache } = places(folder)
  return {
    RESTIC_REPOSITORY: path.join(store, 'repository'),
    ...{ RESTIC_PASSWORD_FILE: passwordFile, RESTIC_CACHE_DIR: cache },
  }
}

/** What restic itself says of a repository. */
export const askRestic = (folder: string, ...args: string[]): string =>
  execFileSync(restic!.executable, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(folder),
  })
