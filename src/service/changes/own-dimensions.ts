import path from 'node:path'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../base/refusal.ts'

/** A dimension of a datapack. Contract paths, each of a folder. */
export interface OwnDimension {
  /** Where all but Bukkit's kinds have it, and from 26.1 on those too. */
  within: string
  /** Where Bukkit's kinds have it up to 1.21: as within a world of its own, that is called after the dimension. */
  beside: string
  /** That world. */
  root: string
}

/** Folders beside a world that are looked into, and namespaces in each. */
const MOST = 1000

/**
 * The dimensions of datapacks that have a world of their own beside this one, as Bukkit's kinds make them:
 * `world_pack_moon/dimensions/pack/moon` is `pack:moon`. What lies there otherwise is another world.
 *
 * @param world path of the world's folder
 */
export function ownDimensions(files: ServerFiles, world: string): OwnDimension[] {
  const [parent, name] = [path.posix.dirname(world), path.posix.basename(world)]
  const at = (root: string) => (parent === '.' ? root : `${parent}/${root}`)
  return foldersIn(files, parent === '.' ? '' : parent)
    .filter((folder) => folder.startsWith(`${name}_`))
    .flatMap((folder) => {
      const root = at(folder)
      return foldersIn(files, `${root}/dimensions`).flatMap((namespace) => {
        const begins = `${name}_${namespace}_`
        const id = folder.slice(begins.length)
        if (!folder.startsWith(begins) || id === '' || namespace === 'minecraft') return []
        const own = `dimensions/${namespace}/${id}`
        return [{ within: `${world}/${own}`, beside: `${root}/${own}`, root }]
      })
    })
}

/** Names of the folders in a folder; none where that is not there, or leads elsewhere. */
function foldersIn(files: ServerFiles, folder: string): string[] {
  try {
    using opened = files.open(folder)
    const folders = opened.entriesNow().filter(({ kind }) => kind === 'folder')
    return folders
      .map(({ name }) => name)
      .sort()
      .slice(0, MOST)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
