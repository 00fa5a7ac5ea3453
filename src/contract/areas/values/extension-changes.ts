import { z } from 'zod'
import { WhyFailed } from '../../declarations/errors.ts'
import { always, maybe } from '../../declarations/fields.ts'
import { openEnum, Time } from '../../declarations/operation.ts'

/** What became of one extension, with its versions before and after where they are known. */
const ChangedItem = z.object({
  name: always.text,
  from: maybe.text,
  to: maybe.text,
  /** Where it is not told: without `from` it was added, without `to` it was removed, and else replaced. */
  did: openEnum(['added', 'replaced', 'removed', 'switched']).nullish(),
})

/** What one request did or is doing with a server's extensions. */
export const ExtensionChanges = z.object({
  running: z
    .object({
      /** Bytes downloaded, and how many there are. */
      done: maybe.number,
      total: maybe.number,
      at: Time.nullish(),
      /** For what it waits, besides its own downloads: a host, or the download of another server. An extension. */
      waiting: WhyFailed.nullish(),
    })
    .nullish(),
  last: z
    .object({
      at: Time.nullish(),
      /** Where the server crashed since: of all that was changed before that start. */
      items: z.array(ChangedItem),
      /** Whether `extensions.undo` brings back what was there before. */
      undoable: maybe.flag,
      /** The server crashed at its first start since. */
      crashedSince: maybe.flag,
      /** Why what was asked for last was not done. */
      error: WhyFailed.extend({
        /** What was not done, of changes that had waited; without any, nothing of the last request was. */
        items: z.array(ChangedItem).nullish(),
        /** A part of it is done, and could not be taken back yet. */
        unfinished: maybe.flag,
      }).nullish(),
    })
    .nullish(),
})
export type ExtensionChanges = z.output<typeof ExtensionChanges>
