import { lstat, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import { diskPath } from './names/raw-names.ts'
import { entriesIn } from './safe-fs/read-folder.ts'

const MOST = 100

/**
 * Direct links out of a server's folder, which deleting the server deletes without their targets. An empty name is
 * the folder itself, which an administrator may have replaced by a link.
 */
export async function linksOut(root: string): Promise<string[]> {
  try {
    if ((await lstat(root)).isSymbolicLink()) return ['']
    const inside = await realpath(root)
    const names: string[] = []
    for (const { name, kind } of await entriesIn(root))
      if (kind === 'link' && (await leadsOut(inside, name))) names.push(name)
    return names.sort().slice(0, MOST)
  } catch {
    // Missing or unreadable.
    return []
  }
}

async function leadsOut(inside: string, name: string): Promise<boolean> {
  const link = diskPath(inside, name)
  const to = await realpath(link).catch(async () => path.resolve(inside, await readlink(link)))
  return to !== inside && !to.startsWith(inside + path.sep)
}
