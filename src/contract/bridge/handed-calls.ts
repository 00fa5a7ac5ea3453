import { z } from 'zod'
import { ItemPath } from '../areas/values/file-values.ts'
import { call, Id, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

export type HandedState =
  /** All saves have been sent. */
  | { kind: 'watched' }
  | { kind: 'sending' }
  /** Sent once the service is reachable. */
  | { kind: 'waiting'; problem: Problem }
  | { kind: 'failed'; problem: Problem }
  /** The file changed or disappeared on the server; nothing is sent until the user decides. */
  | { kind: 'conflict'; why: 'changed' | 'deleted' }
  /** Saved while the panel wasn't running, or not sent before it exited; sent on request or with the next save. */
  | { kind: 'found' }
  | { kind: 'read-only' }

export interface HandedFile extends ServerRef {
  id: string
  path: string
  state: HandedState
  /** Its server or connection is gone, so nothing can be sent. */
  isGone: boolean
  sentAt: string | null
}

const handed = z.object({ id: Id })

/** Files edited with a local program. The page uses ids; local paths stay in main. */
export const handedCalls = {
  'handed.list': call<HandedFile[]>().of(z.undefined()),
  /** Problem `unavailable` in a browser, `invalid` if not safe to open, `conflict` without editor or with too many open. */
  'handed.open': call<HandedFile>().of(server.extend({ path: ItemPath, readOnly: z.boolean() })),
  /** `overwrite`: even if the server's file has changed. */
  'handed.send': call<void>().of(handed.extend({ overwrite: z.boolean() })),
  'handed.text': call<{ text: string }>().of(handed),
  /** Ends editing. Unsent saves go to the downloads folder (`keptAt`), with `keep` also the server's version. */
  'handed.stop': call<{ keptAt: string | null }>().of(handed.extend({ keep: z.boolean().optional() })),
  'handed.reveal': call<void>().of(handed),
}
