import { lstat, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import { diskPath } from './names/raw-names.ts'
import { entriesIn } from './safe-fs/read-folder.ts'

/** Names that are told at most. */
const MOST = 100

/**
 * Links that lead out of a server's folder, by name in it: deleting the server deletes them, and never what they lead to. An empty
 * name is the folder itself, in whose place whoever runs the service can have put a link to another disk. Links in folders
 * below are not looked for.
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
    // It is not there: nothing of it is known.
    return []
  }
}

async function leadsOut(inside: string, name: string): Promise<boolean> {
  const link = diskPath(inside, name)
  // What it leads to need not be connected.
  const to = await realpath(link).catch(async () => path.resolve(inside, await readlink(link)))
  return to !== inside && !to.startsWith(inside + path.sep)
}
