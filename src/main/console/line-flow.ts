import { api } from '../../contract/areas/index.ts'
import type { Page } from '../../contract/declarations/operation.ts'
import type { ConsolePiece, HistoryState, LineBatch } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import { Findings } from '../api/reader/drift.ts'
import type { Cache } from '../views/cache/cache.ts'
import { formatLineId, standsAt, type LineId } from '../../contract/rules/line-ids.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import type { Log } from '../logging/log.ts'
import { contractId, withoutSeen, foreignLines, lastSeq, linesOf, OWN_EPOCH, toColumns } from './columns.ts'
import { ForeignConsole } from './foreign-console.ts'

const FIRST_LINES = 2000
/** Holes up to this many lines are filled from history; larger ones are left to paging. */
const FILL_LINES = 20_000
const HISTORY_PAGE = 5000
/** After this many failed attempts in a row a hole is shown as a gap. */
const UNFILLED_MOST = 3
/** Past epochs remembered per console. */
const PAST_MOST = 20

export interface LineFlowPorts {
  connectionId: string
  client: () => ApiClient
  cache: Cache
  onPieces: (serverId: string, pieces: ConsolePiece[]) => void
  onHistory: (serverId: string, history: HistoryState) => void
  log: Log
}

interface Flow {
  last: LineId | null
  /** End of lines reported missing; takes effect once later lines arrive. */
  ahead: LineId | null
  past: Map<string, number>
  /** In the current epoch ids were seen to count up by one, so a jump means missing lines. */
  counts: boolean
  foreign: ForeignConsole | null
  begun: boolean
  history: HistoryState
}

/**
 * Orders the lines of a connection's consoles: each line once, holes filled from history or shown as gaps where ids
 * reveal them, lines with foreign ids in order of arrival.
 */
export class LineFlow {
  readonly #flows = new Map<string, Flow>()
  readonly #ports: LineFlowPorts
  /** Serializes stream and history. */
  readonly #turns = new Lanes({ perLane: 1 })
  #unfilled = 0

  constructor(ports: LineFlowPorts) {
    this.#ports = ports
  }

  begin(serverId: string, signal: AbortSignal): Promise<void> {
    return this.#inTurn(serverId, (flow) => this.#begin(serverId, flow, signal))
  }

  take(serverId: string, lines: readonly unknown[], signal: AbortSignal): Promise<void> {
    return this.#inTurn(serverId, async (flow) => {
      const findings = new Findings()
      try {
        await this.#takeLines(serverId, flow, lines, { signal, isPage: false, findings })
      } finally {
        this.#ports.client().noteDrift(api.console.events, findings.drifts)
      }
    })
  }

  /** True if there were new lines; throws if history cannot be read. */
  ask(serverId: string, signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(serverId, async (flow) => {
      const before = flow.last
      if (flow.begun) await this.#readNew(serverId, flow, signal)
      else await this.#begin(serverId, flow, signal)
      return flow.last !== before
    })
  }

  /** Lines the service reports as lost; the range is known only if its ids are ordered. */
  gap(serverId: string, from: string | null, to: string): Promise<void> {
    return this.#inTurn(serverId, async (flow) => {
      const end = flow.foreign ? null : contractId(to)
      if (!end) return this.#ports.onPieces(serverId, [{ kind: 'gap', from: null, to: null }])
      const { last, ahead } = flow
      // Unknown start: from the current position.
      const after = [last, ahead].map((known) => (known?.epoch === end.epoch ? known.seq + 1 : 0))
      const start = from === null ? null : contractId(from)
      const seq = Math.max(...after, start?.epoch === end.epoch ? start.seq : 0)
      const isKnown = [last, ahead].some((known) => known?.epoch === end.epoch && end.seq <= known.seq)
      if (isKnown || flow.past.has(end.epoch)) return
      flow.ahead = end
      const begin = seq > 0 ? formatLineId({ epoch: end.epoch, seq }) : from
      this.#ports.onPieces(serverId, [{ kind: 'gap', from: begin, to }])
    })
  }

  /** The stream reconnected: its first lines may be repeats. */
  connecting(): void {
    for (const { foreign } of this.#flows.values()) foreign?.anew()
  }

  history(serverId: string): HistoryState {
    return this.#flow(serverId).history
  }

  /** Resume position for the events query; null if unknown. */
  after(serverId: string): string | null {
    const flow = this.#flow(serverId)
    const id = flow.foreign ? flow.foreign.lastId : flow.last && formatLineId(flow.last)
    return id === null || /[,:]/.test(id) ? null : `${serverId}:${id}`
  }

  keepOnly(serverIds: ReadonlySet<string>): void {
    for (const serverId of this.#flows.keys()) if (!serverIds.has(serverId)) this.#flows.delete(serverId)
  }

  #flow(serverId: string): Flow {
    let flow = this.#flows.get(serverId)
    if (!flow) {
      const history: HistoryState = { read: false, problem: null }
      flow = {
        ...{ last: null, ahead: null, past: new Map(), counts: false, foreign: null, begun: false },
        history,
      }
      this.#flows.set(serverId, flow)
    }
    return flow
  }

  #inTurn<T>(serverId: string, work: (flow: Flow) => Promise<T>): Promise<T> {
    const flow = this.#flow(serverId)
    return this.#turns.run(serverId, () => work(flow))
  }

  async #begin(serverId: string, flow: Flow, signal: AbortSignal): Promise<void> {
    if (flow.begun) return
    const { cache, connectionId } = this.#ports
    const held = (await cache.linesBefore(connectionId, serverId, null, 2)).at(-1)
    if (held && !flow.last) {
      flow.last = { epoch: held.epoch, seq: lastSeq(held) }
      flow.counts = held.texts.length > 1
      if (held.epoch.startsWith(OWN_EPOCH)) flow.foreign = await this.#foreign(serverId, flow.last)
    }
    // With counting ids the stream resumes where the archive ends; otherwise only history knows what came since.
    if (!held || flow.foreign || flow.history.problem) await this.#readNew(serverId, flow, signal)
    flow.begun = true
  }

  async #readNew(serverId: string, flow: Flow, signal: AbortSignal): Promise<void> {
    const after = flow.foreign ? flow.foreign.after : flow.last && formatLineId(flow.last)
    const limit = flow.foreign || !flow.last ? FIRST_LINES : HISTORY_PAGE
    const { items, leftOut } = await this.#history(
      serverId,
      flow,
      { limit, after: after ?? undefined },
      signal,
    )
    // Deviations were recorded when the response was read.
    await this.#takeLines(serverId, flow, items, { signal, isPage: true, findings: new Findings() })
    // Sent before the lines, it would briefly show an empty console.
    this.#tell(serverId, flow, { read: true, problem: null }, leftOut.length)
  }

  async #history(
    serverId: string,
    flow: Flow,
    query: { after?: string | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<Page<unknown>> {
    try {
      const input = { params: { serverId }, query }
      const { value } = await this.#ports.client().send(api.console.history, input, { signal })
      // No readable lines, or none on a possibly incomplete page, does not mean an empty console.
      const [first] = value.leftOut
      if (value.items.length === 0 && query.after === undefined && (first || !value.complete)) {
        const field = first?.path ?? 'items'
        throw problem('incompatible', localized('answer.field', { field }), { detail: field })
      }
      return value
    } catch (error) {
      if (!(error instanceof PanelProblem) || signal.aborted) throw error
      // An id the service rejects as a position is not sent again.
      if (error.problem.code === 'invalid' && flow.foreign?.after) {
        flow.foreign.placeless()
        return this.#history(serverId, flow, { limit: query.limit }, signal)
      }
      this.#tell(serverId, flow, { read: flow.history.read, problem: error.problem })
      throw error
    }
  }

  /** @param leftOut lines just found unreadable; the count survives later pages */
  #tell(
    serverId: string,
    flow: Flow,
    { read, problem }: Pick<HistoryState, 'read' | 'problem'>,
    leftOut = 0,
  ): void {
    const before = flow.history
    const most = Math.max(before.leftOut ?? 0, leftOut)
    flow.history = { read, problem, ...(most > 0 && { leftOut: most }) }
    const same =
      read === before.read && problem?.code === before.problem?.code && most === (before.leftOut ?? 0)
    if (!same) this.#ports.onHistory(serverId, flow.history)
  }

  async #takeLines(
    serverId: string,
    flow: Flow,
    raws: readonly unknown[],
    how: { signal: AbortSignal; isPage: boolean; findings: Findings },
  ): Promise<void> {
    const { isPage, findings } = how
    const columns = flow.foreign
      ? { kind: 'foreign' as const, ...foreignLines(raws, findings) }
      : toColumns(raws, findings)
    if (columns.leftOut > 0) {
      this.#ports.log.warn('console lines held no text', { serverId, leftOut: columns.leftOut })
      this.#tell(serverId, flow, flow.history, columns.leftOut)
    }
    if (columns.kind === 'counted') {
      for (const batch of columns.batches) {
        await this.#join(serverId, flow, batch, how)
        // A jump without counting ids says nothing about loss: take all lines as they came.
        if (flow.foreign) return this.#takeLines(serverId, flow, raws, how)
      }
      return
    }
    const foreign = (flow.foreign ??= await this.#foreign(serverId))
    const batch = foreign.take(columns.lines, isPage)
    if (batch) this.#send(serverId, flow, batch)
  }

  async #foreign(serverId: string, last: LineId | null = null): Promise<ForeignConsole> {
    const { cache, connectionId } = this.#ports
    const newest = await cache.linesBefore(connectionId, serverId, null, HISTORY_PAGE)
    return new ForeignConsole(newest.flatMap(linesOf), last)
  }

  /** Adds a batch; first fills the hole before it from history, or shows a gap. */
  async #join(
    serverId: string,
    flow: Flow,
    batch: LineBatch,
    { signal, isPage }: { signal: AbortSignal; isPage: boolean },
  ): Promise<void> {
    const ended = flow.past.get(batch.epoch)
    if (ended !== undefined) {
      // An epoch that continues after another began is not one: such ids have no order.
      if (lastSeq(batch) > ended) flow.foreign = await this.#foreign(serverId)
      return
    }
    if (!(flow.last?.epoch === batch.epoch && lastSeq(batch) <= flow.last.seq)) {
      goTo(flow, standsAt(flow.last, flow.ahead, { epoch: batch.epoch, seq: batch.firstSeq }))
      flow.ahead = null
    }
    const { last } = flow
    const isSame = last?.epoch === batch.epoch
    const isBegun = !last || (!isSame && (isPage || !flow.counts))
    const missing = isBegun ? 0 : batch.firstSeq - (isSame ? last.seq : 0) - 1
    if (missing > 0) {
      if (missing <= FILL_LINES) await this.#fill(serverId, flow, batch, signal)
      if (flow.foreign) return
      const from = flow.last?.epoch === batch.epoch ? flow.last.seq + 1 : null
      if (from === null || from < batch.firstSeq) {
        if (isSame && !flow.counts) {
          flow.foreign = await this.#foreign(serverId)
          return
        }
        const idOf = (seq: number) => formatLineId({ epoch: batch.epoch, seq })
        const gap = { from: from === null ? null : idOf(from), to: idOf(batch.firstSeq - 1) }
        this.#ports.onPieces(serverId, [{ kind: 'gap', ...gap }])
      }
    }
    this.#accept(serverId, flow, batch)
  }

  async #fill(serverId: string, flow: Flow, to: LineBatch, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { last } = flow
      if (!last || (last.epoch === to.epoch && last.seq + 1 >= to.firstSeq)) return
      const query = { after: formatLineId(last), limit: HISTORY_PAGE }
      const page = await this.#history(serverId, flow, query, signal).catch((error: unknown) => {
        // Temporary failures: reconnecting resumes after the last line.
        const lasting = error instanceof PanelProblem && !error.problem.retryable
        if (signal.aborted || (!lasting && this.#unfilled++ < UNFILLED_MOST)) throw error
        return null
      })
      if (page) {
        this.#unfilled = 0
        this.#tell(serverId, flow, { read: true, problem: null }, page.leftOut.length)
      }
      const columns = page && toColumns(page.items)
      const next = columns?.kind === 'counted' ? columns.batches[0] : null
      const isNext = next && (next.epoch === last.epoch ? next.firstSeq === last.seq + 1 : next.firstSeq <= 1)
      if (!isNext || ![last.epoch, to.epoch].includes(next.epoch)) return
      this.#accept(serverId, flow, next)
    }
  }

  #accept(serverId: string, flow: Flow, batch: LineBatch): void {
    const { last } = flow
    const same = last?.epoch === batch.epoch
    const fresh = same ? withoutSeen(batch, last.seq) : batch
    flow.counts = (same && flow.counts) || batch.texts.length > 1 || (same && batch.firstSeq === last.seq + 1)
    if (fresh) this.#send(serverId, flow, fresh)
  }

  #send(serverId: string, flow: Flow, batch: LineBatch): void {
    goTo(flow, { epoch: batch.epoch, seq: lastSeq(batch) })
    this.#ports.onPieces(serverId, [{ kind: 'lines', batch }])
    this.#ports.cache.postLines(this.#ports.connectionId, serverId, batch)
  }
}

function goTo(flow: Flow, next: LineId | null): void {
  const { last, past } = flow
  flow.last = next
  if (!last || last.epoch === next?.epoch) return
  past.set(last.epoch, last.seq)
  for (const epoch of past.keys()) {
    if (past.size <= PAST_MOST) return
    past.delete(epoch)
  }
}
