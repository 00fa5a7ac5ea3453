import { z } from 'zod'
import { FilePath, ItemPath } from '../areas/values/file-values.ts'
import { call, Id, server } from './call.ts'

export interface DownloadsFolder {
  path: string
  isChosen: boolean
  /** False if the disk is disconnected or the folder was removed. */
  isThere: boolean
}

interface QueueResult {
  transferId: string | null
}

const nothing = z.undefined()

/** The page never names local paths. Problem `unavailable` in a browser; `conflict` while another dialog is open. */
export const computerCalls = {
  /** Downloads to a place chosen now; for a single file including its name. */
  'computer.download-to': call<QueueResult>().of(
    server.extend({ paths: z.array(ItemPath).min(1).max(1000) }),
  ),
  'computer.pick-and-send': call<QueueResult>().of(
    server.extend({ folder: FilePath, what: z.enum(['files', 'folders']) }),
  ),
  /** Problem `not-found` if the download is gone. */
  'computer.reveal': call<void>().of(z.object({ transferId: Id })),
  'computer.downloads': call<DownloadsFolder>().of(nothing),
  'computer.choose-downloads': call<DownloadsFolder>().of(nothing),
  'computer.usual-downloads': call<DownloadsFolder>().of(nothing),
}

export interface Diagnostics {
  /** For saving exactly this text; only the latest few are kept. */
  id: string
  text: string
  /** Number of crash reports on this computer; null if the panel keeps none, as in a browser. */
  crashes: number | null
}

/** Without secrets, and shown before it is saved. */
export const diagnosticsCalls = {
  /** `hosts`: include services' host names instead of placeholders. IP addresses are never included. */
  'diagnostics.read': call<Diagnostics>().of(z.object({ hosts: z.boolean() })),
  /** Writes the shown report to the downloads folder. `not-found`: it is no longer kept. */
  'diagnostics.save': call<{ path: string }>().of(z.object({ id: Id })),
}
