import { TreeCursor } from './descent.ts'
import type { OpenedFolder } from './opened-folder.ts'
import type { FolderEntry } from './read-folder.ts'
import { Yielder } from '../../../host/yield.ts'

/** `in`: filter `entries` to skip subfolders. `out`: left the folder `name`. The top's name is empty. */
type TreeStep =
  | { kind: 'in'; folder: OpenedFolder; name: string; depth: number; entries: FolderEntry[] }
  | { kind: 'out'; folder: OpenedFolder; name: string }

/** @param skip called with the error for a folder that can't be entered; default: throw */
export async function* walkTree(top: OpenedFolder, skip?: Skip): AsyncGenerator<TreeStep, void, undefined> {
  const yielder = new Yielder()
  using at = new TreeCursor(top)
  /** Per level: its name, and subfolders still to visit. */
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
        // Without a way back, the rest is unreachable.
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
