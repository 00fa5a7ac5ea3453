import { link, lstat, mkdir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { numbered } from '../../../contract/rules/names.ts'
import type { Bytes } from '../bytes/methods.ts'
import { NAME_BYTES_MOST } from './local-names.ts'

/** Errors of file systems without hard links: exFAT, FAT, some network disks. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

const NAMES_MOST = 10_000

/** `name (2).ext`, within the length limit. */
export const numberedHere = (name: string, number: number): string =>
  number < 2 ? name : numbered(name, number, NAME_BYTES_MOST)

/** `intend` must persist the name first, so that a crash doesn't leave a second folder. */
export async function makeFolder(
  parent: string,
  name: string,
  intend: (path: string) => Promise<void>,
): Promise<string> {
  await mkdir(parent, { recursive: true })
  for (let number = 1; number < NAMES_MOST; number++) {
    const path = join(parent, numberedHere(name, number))
    if (await lstat(path).catch(() => null)) continue
    await intend(path)
    try {
      await mkdir(path)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`no free name for ${name}`)
}

export const partOf = ({ id, target }: { id: number; target: string }): string =>
  join(dirname(target), `.${baseOf(target)}.${id}.part`)
const baseOf = (target: string) => target.slice(dirname(target).length).replace(/^[\\/]/, '')

/** Moves a complete part, atomically. `intend` must persist the name first, for `wasClaimed` after a crash. */
export async function claimName(
  { renameIfFree }: Pick<Bytes, 'renameIfFree'>,
  part: string,
  target: string,
  intend: (path: string) => Promise<void>,
): Promise<string> {
  for (let number = 1; number < NAMES_MOST; number++) {
    const path = join(dirname(target), numberedHere(baseOf(target), number))
    if (await lstat(path).catch(() => null)) continue
    await intend(path)
    try {
      // Linking fails if the name is taken; renaming would replace.
      await link(part, path)
      await unlink(part)
      return path
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      if (!WITHOUT_LINKS.has(code ?? '')) throw error
      // An empty placeholder would remain after a crash.
      const fault = await renameIfFree(part, path)
      if (fault === null) return path
      if (fault !== 'EEXIST') throw Object.assign(new Error(`${fault}: ${path}`), { code: fault })
    }
  }
  throw new Error(`no free name for ${target}`)
}

/** Replaces a file with the user's consent. `intend` as for `claimName`. */
export async function takePlace(
  part: string,
  target: string,
  intend: (path: string) => Promise<void>,
): Promise<string> {
  await intend(target)
  await rename(part, target)
  return target
}

/** Whether the part was moved before a crash; completes a half-done move. */
export async function wasClaimed(part: string, path: string, size: number): Promise<boolean> {
  const [there, here] = await Promise.all([lstat(path).catch(() => null), lstat(part).catch(() => null)])
  if (!there || there.size !== size) return false
  if (!here) return true
  if (here.ino !== there.ino || here.dev !== there.dev) return false
  await unlink(part)
  return true
}
