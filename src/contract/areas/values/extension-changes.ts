import { z } from 'zod'
import { FailureReason } from '../../declarations/errors.ts'
import { openEnum, Time, always, maybe } from '../../declarations/operation.ts'

const ChangedItem = z.object({
  name: always.text,
  from: maybe.text,
  to: maybe.text,
  /** If absent: without `from` added, without `to` removed, else replaced. */
  did: openEnum(['added', 'replaced', 'removed', 'switched']).nullish(),
})

export const ExtensionChanges = z.object({
  running: z
    .object({
      /** Bytes. */
      done: maybe.number,
      total: maybe.number,
      at: Time.nullish(),
      /** What it waits for besides its own downloads: a host, or another server's download. An extension. */
      waiting: FailureReason.nullish(),
    })
    .nullish(),
  last: z
    .object({
      at: Time.nullish(),
      /** If the server has crashed since: everything changed before that start. */
      items: z.array(ChangedItem),
      undoable: maybe.flag,
      /** The last of several changes, if it can be undone alone. An extension. */
      newest: z.object({ items: z.array(ChangedItem) }).nullish(),
      crashedSince: maybe.flag,
      error: FailureReason.extend({
        /** Pending changes that weren't made; absent: nothing of the last request was done. */
        items: z.array(ChangedItem).nullish(),
        /** Partly done, and not rolled back yet. */
        unfinished: maybe.flag,
      }).nullish(),
    })
    .nullish(),
})
export type ExtensionChanges = z.output<typeof ExtensionChanges>
