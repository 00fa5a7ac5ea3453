import { Descent } from './descent.ts'
import type { OpenedFolder } from './opened-folder.ts'
import type { FolderEntry } from './read-folder.ts'
import { Yielder } from './yield.ts'

/**
 * One step of a walk. `in`: it came into a folder; what is taken out of `entries` is not gone into. `out`: it is back
 * in the folder above the one of this name. `folder` is open until the next step; the name of the first is empty.
 */
export type TreeStep =
  | { kind: 'in'; folder: OpenedFolder; name: string; depth: number; entries: FolderEntry[] }
  | { kind: 'out'; folder: OpenedFolder; name: string }

/**
 * Goes through a folder and all below it, also where that is deeper than a path of the system can be. Others have their turns
 * in between.
 *
 * @param skip called with what keeps it out of a folder, which is passed over then. Default: that is thrown.
 */
export async function* walkTree(top: OpenedFolder, skip?: Skip): AsyncGenerator<TreeStep, void, undefined> {
  const yielder = new Yielder()
  using at = new Descent(top)
  /** Of each folder on the way here, the folders in it that are still to come, and its name. */
  const levels: { name: string; coming: string[] }[] = []
  let name = ''
  for (;;) {
    const entries = await read(at.here, name, skip)
    yield { kind: 'in', folder: at.here, name, depth: at.depth, entries }
    levels.push({
      name,
      coming: entries.flatMap((one) => (one.kind === 'folder' ? [one.name] : [])).reverse(),
    })
    for (;;) {
      await yielder.next()
      const next = levels.at(-1)!.coming.pop()
      if (next === undefined) {
        const left = levels.pop()!.name
        if (levels.length === 0) return
        // Where it cannot get back, there is no way to the rest.
        if (!attempt(() => at.leave(), left, skip)) return
        yield { kind: 'out', folder: at.here, name: left }
      } else if (attempt(() => at.enter(next), next, skip)) {
        name = next
        break
      }
    }
  }
}

type Skip = (error: unknown, name: string) => void

/** Whether an act was done. */
function attempt(act: () => void, name: string, skip: Skip | undefined): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (!skip) throw error
    skip(error, name)
    return false
  }
}

async function read(folder: OpenedFolder, name: string, skip: Skip | undefined): Promise<FolderEntry[]> {
  try {
    return await folder.entries()
  } catch (error) {
    if (!skip) throw error
    skip(error, name)
    return []
  }
}
