import { z } from 'zod'
import { ItemPath } from '../areas/values/file-values.ts'
import { call, Id, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

export type ExternalFileState =
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

export interface ExternalFile extends ServerRef {
  id: string
  path: string
  state: ExternalFileState
  /** Its server or connection is gone, so nothing can be sent. */
  isGone: boolean
  sentAt: string | null
}

const externalFile = z.object({ id: Id })

/** Files edited with a local program. The page uses ids; local paths stay in main. */
export const externalEditorCalls = {
  'external-editor.list': call<ExternalFile[]>().of(z.undefined()),
  /** Problem `unavailable` in a browser, `invalid` if not safe to open, `conflict` without editor or with too many open. */
  'external-editor.open': call<ExternalFile>().of(server.extend({ path: ItemPath, readOnly: z.boolean() })),
  /** `overwrite`: even if the server's file has changed. */
  'external-editor.send': call<void>().of(externalFile.extend({ overwrite: z.boolean() })),
  'external-editor.text': call<{ text: string }>().of(externalFile),
  /** Ends editing. Unsent saves go to the downloads folder (`keptAt`), with `keep` also the server's version. */
  'external-editor.stop': call<{ keptAt: string | null }>().of(
    externalFile.extend({ keep: z.boolean().optional() }),
  ),
  'external-editor.reveal': call<void>().of(externalFile),
}
