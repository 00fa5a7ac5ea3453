import { z } from 'zod'
import { ItemPath } from '../areas/values/file-values.ts'
import { call, Id, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

/** How a file stands that is open in an editor of this computer. */
export type HandedState =
  /** Everything that was saved is at the server. */
  | { kind: 'watched' }
  | { kind: 'sending' }
  /** What was saved is sent once the service can be reached. */
  | { kind: 'waiting'; problem: Problem }
  /** The service, or the panel, did not take what was saved. */
  | { kind: 'failed'; problem: Problem }
  /** The file is another one at the server, or gone there; nothing is sent until somebody decides. */
  | { kind: 'conflict'; why: 'changed' | 'deleted' }
  /** It was saved while the panel did not run, or not sent before it ended; sent when somebody says so, or saves once more. */
  | { kind: 'found' }
  | { kind: 'read-only' }

/** A file of a server that is open in an editor of this computer. */
export interface HandedFile extends ServerRef {
  id: string
  path: string
  state: HandedState
  /** Its server, or its connection, is no longer there: nothing can be sent any longer. */
  isGone: boolean
  /** When it was last sent back. */
  sentAt: string | null
}

const handed = z.object({ id: Id })

/** Files that are edited with a program of this computer. The page names them by ids; where they lie it never says. */
export const handedCalls = {
  'handed.list': call<HandedFile[]>().of(z.undefined()),
  /**
   * Opens a file in the person's own editor; each save is sent back. Problem `unavailable` in a browser, `invalid` where the
   * system might take it for something else than a text, `conflict` where it has no editor or too many are open.
   */
  'handed.open': call<HandedFile>().of(server.extend({ path: ItemPath, readOnly: z.boolean() })),
  /** Sends what was saved; `overwrite`: whatever the server has now. */
  'handed.send': call<void>().of(handed.extend({ overwrite: z.boolean() })),
  /** What was saved here, for comparing. */
  'handed.text': call<{ text: string }>().of(handed),
  /**
   * Ends it. What was not sent is put into the folder for downloads, with `keep` what the server has too, and `keptAt` says
   * where.
   */
  'handed.stop': call<{ keptAt: string | null }>().of(handed.extend({ keep: z.boolean().optional() })),
  /** Shows it in its folder. */
  'handed.reveal': call<void>().of(handed),
}
