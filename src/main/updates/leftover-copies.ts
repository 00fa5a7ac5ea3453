import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Younger copies may belong to an update in progress, in ms. */
const OLD_MS = 60 * 60_000

export const copyName = (program: string, id: string): string => `${program}.${id}.new`

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

export async function sweepLeftoverCopies(program: string, now = Date.now()): Promise<void> {
  const folder = dirname(program)
  const escaped = basename(program).replaceAll(/[^A-Za-z0-9]/g, (char) => `\\${char}`)
  const name = new RegExp(`^${copyName(escaped, ID).replace(/\.(?=new$)/, '\\.')}$`)
  for (const one of await readdir(folder).catch(() => []))
    if (name.test(one)) {
      const file = join(folder, one)
      const stat = await lstat(file).catch(() => null)
      // `abs`: the clock may have been set back.
      if (stat?.isFile() && Math.abs(now - stat.mtimeMs) > OLD_MS) await rm(file).catch(() => undefined)
    }
}
