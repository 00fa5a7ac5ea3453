import type { z } from 'zod'
import { operations, type ReadId, type ViewId } from '../../contract/areas/index.ts'
import type { InputOf, Operation, Page } from '../../contract/declarations/operation.ts'
import { isPaged, type NamedView, viewOperations } from '../../contract/bridge/passed.ts'
import type { ListValue, PageValue } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { PageCollector } from '../api/page-collector.ts'
import { PanelProblem } from '../base/problem.ts'
import type { TaggedValue, ViewSource } from './cache/view-store.ts'
import type { ViewFetcher, ComposedView, Compositions } from '../panel/composed.ts'

/** Pages per list, for services with small pages. */
const ANSWERS_MOST = 250

export function viewReader(client: (connectionId: string) => ApiClient, composed: Compositions): ViewSource {
  const composition = (view: ViewId) => composed[view] as ComposedView<ViewId> | undefined
  const madeOf = (view: ViewId): readonly ReadId[] => composition(view)?.of ?? [view]
  return {
    madeOf,
    async read(named) {
      const at = client(named.connectionId)
      try {
        const written = composition(named.view)
        if (!written) return await readPlain(at, named)
        const ask: ViewFetcher = async (view, input) =>
          (await readPlain(at, { view, connectionId: named.connectionId, ...input })).value as never
        return { value: await written.read(ask, { params: {}, query: {}, ...named }), tag: null }
      } catch (error) {
        throw dated(at, error)
      }
    },
    askAgain({ connectionId, view }) {
      const { offered } = client(connectionId)
      // If one part of an area may be available now, the others may be as well.
      const areas = madeOf(view).map(areaOf)
      for (const { id, area } of operations) if (areas.includes(area)) offered.askAgain(id)
    },
    isShaped(view, value) {
      if (!isObject(value)) return false
      if (viewOperations.get(view)?.answer.kind !== 'list') return true
      const { items, leftOut, unreadable = [] } = value
      const isItem = composition(view)?.isItem ?? (() => true)
      if (!Array.isArray(items) || !Array.isArray(leftOut) || !Array.isArray(unreadable)) return false
      return items.every((item) => isObject(item) && isItem(item)) && leftOut.every(isObject)
    },
  }
}

const areaOf = (id: ReadId) => operations.find((op) => op.id === id)?.area

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function readPlain(client: ApiClient, { view, params, query }: NamedView): Promise<TaggedValue> {
  const op = viewOperations.get(view)
  if (!op) throw new Error(`There is no view ${view}.`)
  const send = async (more: object) => {
    const input = { ...(params && { params }), query: { ...query, ...more } } as InputOf<Operation>
    return await client.send(op, input, op.patience === null ? {} : { headMs: op.patience })
  }
  if (op.answer.kind === 'list') {
    const { by } = op.answer
    const value = isPaged(op) ? await readPage(op, by, query?.cursor, send) : await readList(op, by, send)
    return { value, tag: null }
  }
  const { value, etag } = await send({})
  // For unbuilt areas, only the fact that the service answers is known.
  return { value: op.answer.kind === 'none' ? true : value, tag: etag }
}

type ReadSender = (more: object) => Promise<{ value: unknown; heldSince: number | null }>

async function readPage(
  op: Operation,
  by: string | null,
  asked: unknown,
  send: ReadSender,
): Promise<PageValue<object>> {
  const answer = await send({})
  const page = answer.value as Page<object>
  const gathered = new PageCollector<object>(by)
  gathered.add(page)
  // Ignore a repeated cursor (there are no further pages) and one too long to send.
  const next = page.nextCursor === asked ? null : page.nextCursor
  const fields: Record<string, z.ZodType> = op.query?.shape ?? {}
  const canAsk = fields.cursor?.safeParse(next).success === true
  const isWhole = gathered.isWhole(page) || page.nextCursor !== null
  const held = answer.heldSince !== null && { heldSince: new Date(answer.heldSince).toISOString() }
  const { items, leftOut } = gathered
  return {
    items,
    leftOut,
    more: next !== null || (!isWhole && 'perhaps'),
    next: canAsk ? next : null,
    ...held,
  }
}

async function readList(op: Operation, by: string | null, send: ReadSender): Promise<ListValue<object>> {
  const gathered = new PageCollector<object>(by)
  const { most = Infinity, each = 0 } = op.pages ?? {}
  const pages = Object.keys(op.query?.shape ?? {})
  const goesOn = op.pages !== null && pages.includes('cursor')
  let cursor: string | undefined
  let complete = false
  let oldest = Infinity
  for (let answers = 0; answers < (goesOn ? ANSWERS_MOST : 1); answers++) {
    const limit = op.pages && pages.includes('limit') ? Math.min(each, most - gathered.count) : undefined
    const answer = await send({ limit, cursor })
    const page = answer.value as Page<object>
    if (answer.heldSince !== null) oldest = Math.min(oldest, answer.heldSince)
    // A service without cursors always returns the same page.
    if (gathered.has(page)) break
    gathered.add(page)
    complete = gathered.isWhole(page)
    const before = cursor
    cursor = page.nextCursor ?? undefined
    if (cursor === undefined || cursor === before || gathered.count >= most) break
  }
  const { items, leftOut, count, unreadable } = gathered
  const more = cursor !== undefined || (!goesOn && count >= most)
  const held = oldest < Infinity && { heldSince: new Date(oldest).toISOString() }
  return { items, leftOut, more: more || (complete ? false : 'perhaps'), ...unreadable, ...held }
}

/** Adds since when an operation is known to be missing. */
function dated(client: ApiClient, error: unknown): unknown {
  if (!(error instanceof PanelProblem) || error.problem.code !== 'unavailable') return error
  const since = client.offered.missingSince(error.problem.detail ?? '')
  if (since === null) return error
  return new PanelProblem({ ...error.problem, since: new Date(since).toISOString() })
}
