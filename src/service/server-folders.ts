import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** The folders that servers live in: `servers/<id>` in the data folder. */
export interface ServerFolders {
  /** Absolute path of a server's folder. */
  of(serverId: string): string
  make(serverId: string): Promise<void>
  /** Moves a removed server's folder out of the way in one step, so that nothing half deleted is ever in its place. */
  setAside(serverId: string): Promise<void>
  /** Deletes a folder that was set aside. */
  clear(serverId: string): Promise<void>
  /** Deletes everything that was set aside by an earlier run and not cleared. Called at the start alone. */
  clearAll(): Promise<void>
}

export function serverFolders(dataDir: string): ServerFolders {
  const removed = path.join(dataDir, 'removed')
  const of = (serverId: string) => path.join(dataDir, 'servers', serverId)
  const erase = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  return {
    of,
    make: async (serverId) => void (await mkdir(of(serverId), { recursive: true, mode: 0o700 })),
    async setAside(serverId) {
      await mkdir(removed, { recursive: true, mode: 0o700 })
      if (await exists(of(serverId))) await rename(of(serverId), path.join(removed, serverId))
    },
    clear: (serverId) => erase(path.join(removed, serverId)),
    clearAll: () => erase(removed),
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
