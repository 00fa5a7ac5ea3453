import { readdirSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * The folders of a server in the data folder: it lives in `servers/<id>`; what is not whole yet is in `staging/<id>`, what
 * was deleted in `trash/<id>`, both on the same disk, so that a file comes and goes in one step.
 */
export interface ServerFolders {
  /** Absolute path of a server's folder. */
  of(serverId: string): string
  /** Absolute path of the folder for what is not whole yet. */
  stagingOf(serverId: string): string
  /** Absolute path of the server's trash. */
  trashOf(serverId: string): string
  make(serverId: string): Promise<void>
  /** Moves a removed server's folders out of the way in one step each, so that nothing half deleted is ever in its place. */
  setAside(serverId: string): Promise<void>
  /** Deletes what was set aside of a server. */
  clear(serverId: string): Promise<void>
  /** Deletes everything that was set aside by an earlier run and not cleared. Called at the start alone. */
  clearAll(): Promise<void>
}

export function serverFolders(dataDir: string): ServerFolders {
  const removed = path.join(dataDir, 'removed')
  const kinds = ['servers', 'staging', 'trash'] as const
  const folder = (kind: (typeof kinds)[number], serverId: string) => path.join(dataDir, kind, serverId)
  const of = (serverId: string) => folder('servers', serverId)
  const aside = (kind: (typeof kinds)[number], serverId: string) =>
    path.join(removed, kind === 'servers' ? serverId : `${serverId}.${kind}`)
  const erase = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  return {
    of,
    stagingOf: (serverId) => folder('staging', serverId),
    trashOf: (serverId) => folder('trash', serverId),
    make: async (serverId) => void (await mkdir(of(serverId), { recursive: true, mode: 0o700 })),
    async setAside(serverId) {
      await mkdir(removed, { recursive: true, mode: 0o700 })
      for (const kind of kinds) {
        const there = folder(kind, serverId)
        if (await exists(there)) await rename(there, aside(kind, serverId))
      }
    },
    clear: async (serverId) => void (await Promise.all(kinds.map((kind) => erase(aside(kind, serverId))))),
    clearAll: () => erase(removed),
  }
}

/** Names of the folders in `servers`: a server each, whether the service knows it or not. */
export function serverFoldersIn(dataDir: string): string[] {
  try {
    const entries = readdirSync(path.join(dataDir, 'servers'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
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
