import { link, lstat, mkdir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { numbered } from '../../../contract/rules/names.ts'
import type { Bytes } from '../bytes/bytes.ts'
import { NAME_BYTES_MOST } from './local-names.ts'

/** What a file system without links says to one: exFAT, FAT, some that come over a network. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Names tried until one is free. */
const NAMES_MOST = 10_000

/** The name itself, then `name (2).ext` and so on; as long as a name here may be. */
export const numberedHere = (name: string, number: number): string =>
  number < 2 ? name : numbered(name, number, NAME_BYTES_MOST)

/**
 * Makes a folder under a name that is free; answers its path. `intend` is told the name first and must keep it: then a
 * panel that is killed in the middle makes no second one.
 */
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

/** Where a file lies while it comes. Two downloads of one name have each a part of its own. */
export const partOf = ({ id, target }: { id: number; target: string }): string =>
  join(dirname(target), `.${baseOf(target)}.${id}.part`)
const baseOf = (target: string) => target.slice(dirname(target).length).replace(/^[\\/]/, '')

/**
 * Puts a complete part in its place under a name that is free; never is anything but the whole file seen there. `intend`
 * is told the name first and must keep it: then a panel that is killed in the middle finds out with `wasClaimed` what
 * came of it.
 */
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
      // A link is refused where the name is taken in the meantime; a rename would replace.
      await link(part, path)
      await unlink(part)
      return path
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      if (!WITHOUT_LINKS.has(code ?? '')) throw error
      // An empty file that holds the name meanwhile would stay there after a kill.
      const fault = await renameIfFree(part, path)
      if (fault === null) return path
      if (fault !== 'EEXIST') throw Object.assign(new Error(`${fault}: ${path}`), { code: fault })
    }
  }
  throw new Error(`no free name for ${target}`)
}

/** Puts a complete part in the place of a file, as a person agreed. `intend` as for `claimName`. */
export async function takePlace(
  part: string,
  target: string,
  intend: (path: string) => Promise<void>,
): Promise<string> {
  await intend(target)
  await rename(part, target)
  return target
}

/** Whether the part was put there before the panel ended; finishes what is half done. */
export async function wasClaimed(part: string, path: string, size: number): Promise<boolean> {
  const [there, here] = await Promise.all([lstat(path).catch(() => null), lstat(part).catch(() => null)])
  if (!there || there.size !== size) return false
  if (!here) return true
  if (here.ino !== there.ino || here.dev !== there.dev) return false
  await unlink(part)
  return true
}
