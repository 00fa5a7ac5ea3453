import { api } from '../../contract/areas/index.ts'
import type { ConsolePiece, LineBatch, ServerRef, StreamedPiece } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import type { Cache } from '../views/cache/cache.ts'
import { formatLineId, parseLineId, type LineId } from '../../contract/rules/line-ids.ts'
import { lastSeq, OWN_EPOCH, toColumns } from './columns.ts'

const HISTORY_PAGE = 5000
/** A window that watches again gets at most so many times the lines of a new one. */
const CATCH_UP = 5

export type PageBound = { before: string } | { after: string }

export interface LinePage {
  pieces: ConsolePiece[]
  end: boolean
}

/**
 * Pages through a console: from the archive if it has the neighboring lines, else from the service, else from beyond
 * the archive's next hole, shown as a gap.
 */
export class Pager {
  readonly #cache: Cache
  readonly #client: (connectionId: string) => ApiClient

  constructor(cache: Cache, client: (connectionId: string) => ApiClient) {
    this.#cache = cache
    this.#client = client
  }

  async page(server: ServerRef, way: PageBound, limit: number): Promise<LinePage> {
    const anchor = parseLineId('before' in way ? way.before : way.after)
    if (!anchor) return { pieces: [], end: true }
    const held = await this.#held(server, way, anchor, limit)
    if (held.length > 0) return { pieces: toPieces(held), end: false }
    // Services do not know ids made by the panel.
    const asked = anchor.epoch.startsWith(OWN_EPOCH) ? [] : await this.#ask(server, way, limit)
    if (asked instanceof PanelProblem) {
      const beyond = await this.#beyondHole(server, way, anchor, limit)
      // Unclear whether there is more: ask again on the next scroll.
      if (beyond.pieces.length === 0 && leavesOpen(asked)) throw asked
      return beyond
    }
    if (asked.length > 0) return { pieces: withGaps(asked, way, anchor), end: false }
    return await this.#beyondHole(server, way, anchor, limit)
  }

  #held(server: ServerRef, way: PageBound, anchor: LineId, limit: number): Promise<LineBatch[]> {
    const { connectionId, serverId } = server
    return 'before' in way
      ? this.#cache.linesBefore(connectionId, serverId, anchor, limit)
      : this.#cache.linesAfter(connectionId, serverId, anchor, limit)
  }

  async #ask(
    { connectionId, serverId }: ServerRef,
    way: PageBound,
    limit: number,
  ): Promise<LineBatch[] | PanelProblem> {
    try {
      const query = { ...way, limit: Math.min(limit, HISTORY_PAGE) }
      const answer = await this.#client(connectionId).send(api.console.history, {
        params: { serverId },
        query,
      })
      const { items, leftOut, complete } = answer.value
      const columns = toColumns(items)
      const batches = columns.kind === 'counted' ? columns.batches : []
      // Unreadable or unplaceable lines still exist.
      if (batches.length === 0 && (items.length > 0 || leftOut.length > 0 || !complete)) {
        const field = leftOut[0]?.path ?? (items.length > 0 ? 'items.[].id' : 'items')
        return problem('incompatible', localized('answer.field', { field }), { detail: field })
      }
      for (const batch of batches) this.#cache.postLines(connectionId, serverId, batch)
      return batches
    } catch (error) {
      if (error instanceof PanelProblem) return error
      throw error
    }
  }

  async #beyondHole(server: ServerRef, way: PageBound, anchor: LineId, limit: number): Promise<LinePage> {
    const { connectionId, serverId } = server
    const older = 'before' in way
    const next = await this.#cache.lineNeighbor(
      connectionId,
      serverId,
      older ? { before: anchor } : { after: anchor },
    )
    if (!next) return { pieces: [], end: true }
    const batches = older
      ? await this.#cache.linesBefore(connectionId, serverId, { ...next, seq: next.seq + 1 }, limit)
      : await this.#cache.linesAfter(connectionId, serverId, { ...next, seq: next.seq - 1 }, limit)
    return { pieces: withGaps(batches, way, anchor), end: batches.length === 0 }
  }
}

/** The newest lines, or all after the last one a window has; if those are too many, the newest again. */
export async function newestLines(
  cache: Pick<Cache, 'linesBefore' | 'linesAfter' | 'lineNeighbor'>,
  { connectionId, serverId }: ServerRef,
  limit: number,
  after?: string,
): Promise<StreamedPiece[]> {
  const newest = limit > 0 ? await cache.linesBefore(connectionId, serverId, null, limit) : []
  const anchor = after === undefined ? null : parseLineId(after)
  const [first, end] = [newest[0], newest.at(-1)]
  if (!anchor || !first || !end) return toPieces(newest)
  const missed: LineBatch[] = []
  let last = anchor
  for (let left = CATCH_UP * limit; left > 0;) {
    if (last.epoch === end.epoch && last.seq >= lastSeq(end)) return withGaps(missed, { after: '' }, anchor)
    let found = await cache.linesAfter(connectionId, serverId, last, left)
    if (found.length === 0) {
      const next = await cache.lineNeighbor(connectionId, serverId, { after: last })
      if (next) found = await cache.linesAfter(connectionId, serverId, { ...next, seq: next.seq - 1 }, left)
    }
    const to = found.at(-1)
    if (!to) break
    missed.push(...found)
    left -= found.reduce((sum, { texts }) => sum + texts.length, 0)
    last = { epoch: to.epoch, seq: lastSeq(to) }
  }
  const passed = formatLineId({ epoch: first.epoch, seq: Math.max(0, first.firstSeq - 1) })
  return [{ kind: 'passed', to: passed, count: 0 }, ...toPieces(newest)]
}

const leavesOpen = ({ problem: { code, retryable } }: PanelProblem): boolean =>
  retryable || code === 'incompatible'

const toPieces = (batches: LineBatch[]): ConsolePiece[] => batches.map((batch) => ({ kind: 'lines', batch }))

/** Adds gaps wherever ids of one epoch are not consecutive, also next to the anchor. */
function withGaps(batches: LineBatch[], way: PageBound, anchor: LineId): ConsolePiece[] {
  const pieces: ConsolePiece[] = []
  let last: LineId | null = 'after' in way ? anchor : null
  const gapBefore = (next: LineId) => {
    if (last && last.epoch === next.epoch && next.seq > last.seq + 1)
      pieces.push({
        kind: 'gap',
        from: formatLineId({ epoch: last.epoch, seq: last.seq + 1 }),
        to: formatLineId({ epoch: next.epoch, seq: next.seq - 1 }),
      })
  }
  for (const batch of batches) {
    gapBefore({ epoch: batch.epoch, seq: batch.firstSeq })
    pieces.push({ kind: 'lines', batch })
    last = { epoch: batch.epoch, seq: lastSeq(batch) }
  }
  if ('before' in way) gapBefore(anchor)
  return pieces
}
