import type { ServerFolders } from './server-folders.ts'
import type { Reservation } from './quota/reservations.ts'
import { ServerFiles } from './server-files.ts'

export interface FileLimitOptions {
  maxFileBytes: number | null
  /** Including trash and unfinished uploads; null: limited only by the disk. */
  quotaBytes: number | null
}

interface AllServerFilesOptions extends FileLimitOptions {
  folders: Pick<ServerFolders, 'of' | 'stagingOf' | 'trashOf'>
  running: (serverId: string) => boolean
  moreQuota?: (serverId: string) => number
}

export interface AllServerFiles {
  /** The caller has checked that the server exists. */
  of(serverId: string): ServerFiles
  forget(serverId: string): void
  /** Files that are no server of the list. Until `forget`. */
  lend(files: ServerFiles): void
}

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
    lend: (files) => void known.set(files.serverId, files),
  }
}
