import { z } from 'zod'
import { FilePath, ItemPath } from '../areas/values/file-values.ts'
import { call, Id, server } from './call.ts'

/** Where downloads go. */
export interface DownloadsFolder {
  path: string
  /** A person chose it; else it is the usual one of this user. */
  isChosen: boolean
  /** False of a disk that is not connected, or a folder that was removed. */
  isThere: boolean
}

/** What was queued; null where nothing was chosen. */
export interface Queued {
  transferId: string | null
}

const nothing = z.undefined()

/**
 * What takes a dialog of the system. The page never names a path of this computer: it says what is wanted, and main asks
 * the person. Problem `unavailable` in a browser; `conflict` while another of these dialogs is open.
 */
export const computerCalls = {
  /** Downloads to a place that a person chooses now: of one file its name too. */
  'computer.download-to': call<Queued>().of(server.extend({ paths: z.array(ItemPath).min(1).max(1000) })),
  /** Uploads files or folders that a person chooses now. */
  'computer.pick-and-send': call<Queued>().of(
    server.extend({ folder: FilePath, what: z.enum(['files', 'folders']) }),
  ),
  /** Shows what a download brought in its folder. Problem `not-found` where it is there no longer. */
  'computer.reveal': call<void>().of(z.object({ transferId: Id })),
  'computer.downloads': call<DownloadsFolder>().of(nothing),
  /** Lets a person choose where downloads go from now on. */
  'computer.choose-downloads': call<DownloadsFolder>().of(nothing),
  /** Downloads go into this user's usual folder again. */
  'computer.usual-downloads': call<DownloadsFolder>().of(nothing),
}
