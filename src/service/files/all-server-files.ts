import type { ServerFolders } from './server-folders.ts'
import type { Reservation } from './quota/reservations.ts'
import { ServerFiles } from './server-files.ts'

export interface FileLimitOptions {
  /** Most bytes of one file; null: no limit but the disk's. */
  maxFileBytes: number | null
  /** Most bytes a server may hold, its trash and unfinished uploads included; null: no limit but the disk's. */
  quotaBytes: number | null
}

export interface AllServerFilesOptions extends FileLimitOptions {
  folders: Pick<ServerFolders, 'of' | 'stagingOf' | 'trashOf'>
  /** Whether a server's program runs. */
  running: (serverId: string) => boolean
  /** Bytes that are added to the quota of a server at the moment. */
  moreQuota?: (serverId: string) => number
}

/** The files of every server. */
export interface AllServerFiles {
  /** Of a server that is there; who calls has checked that. */
  of(serverId: string): ServerFiles
  /** Forgets a server that was deleted. */
  forget(serverId: string): void
}

/** Makes the one object the routes of the file area share. */
export function allServerFiles({
  folders,
  running,
  moreQuota,
  ...limits
}: AllServerFilesOptions): AllServerFiles {
  const known = new Map<string, ServerFiles>()
  const reservations = new Set<Reservation>()
  return {
    of(serverId) {
      let files = known.get(serverId)
      if (!files) {
        files = new ServerFiles({
          serverId,
          root: folders.of(serverId),
          staging: folders.stagingOf(serverId),
          trash: folders.trashOf(serverId),
          reservations,
          running: () => running(serverId),
          moreQuota: moreQuota && (() => moreQuota(serverId)),
          ...limits,
        })
        known.set(serverId, files)
      }
      return files
    },
    forget: (serverId) => void known.delete(serverId),
  }
}
