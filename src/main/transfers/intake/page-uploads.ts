import type { Readable } from 'node:stream'
import type { Outcome, Problem } from '../../../contract/bridge/problem.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import { outcomeOf } from '../../logging/to-problem.ts'
import { Announcement } from './picked.ts'
import type { TransfersPorts, TransferManager } from '../transfers.ts'

/** Uploads from a browser page. Nothing rejects. */
export interface PageUploads {
  /** Returns the item ids in the order of the files. */
  announce(input: unknown): Promise<Outcome<{ transferId: string; itemIds: number[] }>>
  receive(transferId: string, itemIds: readonly number[], body: Readable): Promise<Outcome<null>>
  unreadable(transferId: string, itemIds: readonly number[]): Promise<Outcome<null>>
  pageCame(page: string): void
  pageLeft(page: string): void
}

export function pageUploads(
  room: TransferManager,
  { client, toProblem }: Pick<TransfersPorts, 'client' | 'toProblem'>,
): PageUploads {
  const { spool } = room
  const answered = <T>(work: () => Promise<T>) => outcomeOf(work, toProblem)
  return {
    announce: (input) =>
      answered(async () => {
        const parsed = Announcement.safeParse(input)
        if (!parsed.success) throw problem('invalid', localized('page.unusable'))
        client(parsed.data.to.connectionId)
        // Wait for the sweep, which removes files of unknown transfers.
        await room.start()
        return spool.announce(parsed.data)
      }),
    receive: (transferId, itemIds, body) => spool.receive(transferId, itemIds, body),
    unreadable: (transferId, itemIds) =>
      answered(async () => {
        await spool.fail(transferId, itemIds, unreadable)
        return null
      }),
    pageCame: (page) => spool.pageCame(page),
    pageLeft: (page) => spool.pageLeft(page),
  }
}

const unreadable: Problem = problem('not-found', localized('page.unreadable'), {
  retryable: false,
  serviceCode: 'computer.page',
}).problem
