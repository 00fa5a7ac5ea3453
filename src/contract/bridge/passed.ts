import { z } from 'zod'
import { operations, type OperationOf, type PassedId, type ViewId } from '../areas/index.ts'
import type { InputOf, Operation, OutputOf, Page } from '../declarations/operation.ts'
import type { ViewAddress } from '../rules/view-key.ts'
import type { Call } from './call.ts'
import type { ComposedViews, ListValue, PageValue } from './values.ts'

export const viewOperations = passed<ViewId>('read')
export const sentOperations = passed<PassedId>('write')

function passed<Id extends string>(kind: Operation['kind']): ReadonlyMap<Id, Operation> {
  const allowed = operations.filter((op) => op.kind === kind && op.bridge === 'pass')
  return new Map(allowed.map((op) => [op.id as Id, op]))
}

/** Paging parameters; a view normally contains all pages. */
type PageField = 'limit' | 'cursor'
const pageFields: readonly string[] = ['limit', 'cursor'] satisfies PageField[]

type OmitNames<T, Name extends string> = { [K in keyof T as K extends Name ? never : K]: T[K] }
type ViewQuery<Q, Left extends string> = keyof OmitNames<Q, Left> extends never
  ? unknown
  : { query?: OmitNames<Q, Left> }
/** If people read page by page, each page is a view, identified by its cursor. */
type OmittedField<Op> = Op extends { answer: { page: true } } ? 'limit' : PageField
type Params<I> = I extends { params: infer P } ? { params: P } : unknown

export type ViewInput<V extends ViewId> = { connectionId: string } & Params<InputOf<OperationOf<V>>> &
  (InputOf<OperationOf<V>> extends { query?: infer Q }
    ? ViewQuery<NonNullable<Q>, OmittedField<OperationOf<V>>>
    : unknown)
export type ViewRef = { [V in ViewId]: { view: V } & ViewInput<V> }[ViewId]

/** A view's value: the read's answer, for lists all pages; `true` if all we know is that the service answers. */
export type ViewValue<V extends ViewId> = V extends keyof ComposedViews
  ? ComposedViews[V]
  : OutputOf<OperationOf<V>> extends Page<infer T>
    ? OperationOf<V> extends { answer: { page: true } }
      ? PageValue<T>
      : ListValue<T>
    : OutputOf<OperationOf<V>> extends undefined
      ? true
      : OutputOf<OperationOf<V>>

type IfMatch<Op> = Op extends { ifMatch: boolean } ? { ifMatch?: string | null } : unknown

export type SendInput<W extends PassedId> = { connectionId: string } & InputOf<OperationOf<W>> &
  IfMatch<OperationOf<W>>
export type TypedSendRequest = { [W in PassedId]: { operation: W } & SendInput<W> }[PassedId]

export interface NamedView<V extends ViewId = ViewId> extends ViewAddress {
  view: V
}

export interface ParsedRequest {
  connectionId: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
}
export type ParsedViewRequest = ParsedRequest & { view: ViewId }
export type ParsedSendRequest = ParsedRequest & {
  operation: PassedId
  body?: unknown
  ifMatch?: string | null
}

const Id = z.string().min(1).max(200)

const fieldsOf = (op: Operation) =>
  Object.entries(op.query?.shape ?? {}).filter(
    ([name]) => !pageFields.includes(name) || (name === 'cursor' && isPaged(op)),
  )

/** True if each page of the list is a view of its own. */
export const isPaged = ({ answer }: Operation): boolean => answer.kind === 'list' && answer.page === true

const viewSchema = (view: ViewId, op: Operation) =>
  z.strictObject({ view: z.literal(view), ...asking(op, Object.fromEntries(fieldsOf(op))) })
const sendSchema = (operation: PassedId, op: Operation) =>
  z.strictObject({
    operation: z.literal(operation),
    ...asking(op, op.query?.shape ?? {}),
    ...(op.body ? { body: strictly(op.body) } : {}),
    ...(op.ifMatch ? { ifMatch: z.string().max(200).nullish() } : {}),
  })

function asking(op: Operation, query: z.ZodRawShape) {
  const names = [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, Id] as const)
  const params = z.strictObject(Object.fromEntries(names))
  return {
    connectionId: Id,
    params: names.length > 0 ? params : params.default({}),
    query: z.strictObject(query).default({}),
  }
}

/** Makes every object in the schema strict. */
function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields: Record<string, z.ZodType> = schema.shape
    const shape = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, strictly(one)]))
    return schema.clone({ ...schema.def, shape, catchall: z.never() })
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: strictly(schema.element as z.ZodType) })
  if (schema instanceof z.ZodOptional)
    return schema.clone({ ...schema.def, innerType: strictly(schema.unwrap() as z.ZodType) })
  return schema
}

/** Creates schemas on first use: creating all takes a tenth of the start. */
function anyOf<Id extends string, S extends z.ZodObject>(
  operations: ReadonlyMap<Id, Operation>,
  by: string,
  of: (id: Id, op: Operation) => S,
) {
  const made = new Map<Id, S>()
  const one = (id: Id, op: Operation) => {
    const schema = made.get(id) ?? of(id, op)
    made.set(id, schema)
    return schema
  }
  const error = 'The window asked for something that the panel does not have. Reload it and try again.'
  const all = z.lazy(() => {
    const [first, ...others] = [...operations].map(([id, op]) => one(id, op))
    if (!first) throw new Error('No operation is declared that a window may ask for.')
    return z.discriminatedUnion(by, [first, ...others], { error })
  })
  const inputFor = (input: unknown): z.ZodType => {
    const id = (input as Record<string, unknown> | null | undefined)?.[by] as Id
    const op = operations.get(id)
    return op ? one(id, op) : all
  }
  return { input: all, inputFor }
}

/** Inputs of the bridge's three generic calls. Only types describe each operation's own fields. */
export const readView = anyOf(viewOperations, 'view', (id, op) =>
  viewSchema(id, op).extend({ again: z.boolean().optional() }),
) as Call<z.ZodType<ParsedViewRequest & { again?: boolean }, ViewRef & { again?: boolean }>>
export const leaveView = anyOf(viewOperations, 'view', viewSchema) as Call<
  z.ZodType<ParsedViewRequest, ViewRef>
>
export const sendOperation = anyOf(sentOperations, 'operation', sendSchema) as Call<
  z.ZodType<ParsedSendRequest, TypedSendRequest>
>

/** True if a read has several views distinguished by the query, such as one per folder. */
export const isOneOfMany = (op: Operation): boolean => fieldsOf(op).length > 0
