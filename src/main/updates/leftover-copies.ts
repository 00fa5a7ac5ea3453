import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** One that is younger may be of another panel that is being updated this moment, in ms. */
const OLD_MS = 60 * 60_000

/** What a copy of a new version is called until it takes the place of the program; nothing else has such a name. */
export const copyName = (program: string, id: string): string => `${program}.${id}.new`

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Removes copies of new versions that an update left beside the program when it was cut off. Never rejects. */
export async function sweepLeftoverCopies(program: string, now = Date.now()): Promise<void> {
  const folder = dirname(program)
  const escaped = basename(program).replaceAll(/[^A-Za-z0-9]/g, (char) => `\\${char}`)
  const name = new RegExp(`^${copyName(escaped, ID).replace(/\.(?=new$)/, '\\.')}$`)
  for (const one of await readdir(folder).catch(() => []))
    if (name.test(one)) {
      const file = join(folder, one)
      const stat = await lstat(file).catch(() => null)
      // A clock that was set back makes none too young for ever.
      if (stat?.isFile() && Math.abs(now - stat.mtimeMs) > OLD_MS) await rm(file).catch(() => undefined)
    }
}
