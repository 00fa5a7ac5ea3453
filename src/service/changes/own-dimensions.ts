import path from 'node:path'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../../host/refusal.ts'

/** A datapack dimension. Contract paths of folders. */
export interface OwnDimension {
  /** All but Bukkit-based servers, and from 26.1 on those too. */
  within: string
  /** Bukkit-based servers up to 1.21: inside a world named after the dimension. */
  beside: string
  root: string
}

const MOST = 1000

/**
 * Datapack dimensions that Bukkit-based servers keep as separate worlds: `world_pack_moon/dimensions/pack/moon` is
 * `pack:moon`. Other folders there are unrelated worlds.
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
