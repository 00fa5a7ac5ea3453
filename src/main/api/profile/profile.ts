import { z } from 'zod'
import { operations } from '../../../contract/areas/index.ts'
import type { Method, Operation } from '../../../contract/declarations/operation.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import { baseAddress } from '../../base/address.ts'
import { PanelProblem } from '../../base/problem.ts'
import { type Fault, faultsOf, wrong } from './profile-faults.ts'
import { withoutMark } from '../reader/json.ts'
import { answerFields, requestFields, type Shape } from '../reader/shape.ts'

const NAMES_MOST = 100
export const HEADERS_MOST = 10
export const PROFILE_MOST = 200_000

/** Headers with a meaning fixed by HTTP: a token in one of them would break the request or leak. */
const taken =
  /^(host|content-.*|connection|transfer-encoding|te|upgrade|accept.*|if-.*|range|cookie|expect|proxy-.*)$/i

const PATH_MOST = 500
const Path = z
  .string()
  .refine((path) => path.length <= PATH_MOST, wrong('profile.too-long', { most: PATH_MOST }))
  .refine((path) => /^\/(?!\/)/.test(path), wrong('profile.path-begin'))
  .refine((path) => !/[?#]/.test(path), wrong('profile.path-query'))
  .refine((path) => !/[\\\s\p{Cc}@]/u.test(path), wrong('profile.path-signs'))
  .refine((path) => !path.slice(1).includes('//'), wrong('profile.path-empty-part'))
  .refine((path) => !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path), wrong('profile.path-dots'))

const PLACE_MOST = 200
/** A field name, or a dotted path. */
const FieldPath = z
  .string()
  .refine((place) => place.length <= PLACE_MOST, wrong('profile.too-long', { most: PLACE_MOST }))
  .refine((place) => /^[^.]{1,60}(\.[^.]{1,60}){0,5}$/.test(place), wrong('profile.place'))
  .refine((place) => !/[\p{Cc}\s]/u.test(place), wrong('profile.place-space'))
  .refine(
    (place) => !/(^|\.)(__proto__|constructor|prototype)(\.|$)/.test(place),
    wrong('profile.place-of-all'),
  )

const Names = z
  .record(z.string(), FieldPath)
  .refine(
    (names) => Object.keys(names).length <= NAMES_MOST,
    wrong('profile.too-many-names', { most: NAMES_MOST }),
  )

const Override = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    path: Path.optional(),
    /** True: the service does not offer the operation, and it is never sent. */
    off: z.boolean().optional(),
    items: FieldPath.optional(),
    envelope: FieldPath.optional(),
    /** Answer fields, relative to the item or value. */
    answer: Names.optional(),
    request: Names.optional(),
  })
  .describe('override')

const paramsOf = (path: string) =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((found) => found[1] as string).sort()

const HeaderName = z
  .string()
  .refine((name) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}$/.test(name), wrong('profile.header-name'))
  .refine((name) => !taken.test(name), wrong('profile.header-taken'))

/** How a service differs from the contract: a JSON file written by its owner. */
export const ApiProfile = z
  .strictObject({
    baseUrl: z.string().transform((typed, context) => {
      try {
        return baseAddress(typed)
      } catch (fault) {
        if (!(fault instanceof PanelProblem)) throw fault
        context.addIssue({ code: 'custom', message: fault.message, params: { said: fault.problem } })
        return z.NEVER
      }
    }),
    /** Default `Authorization`. */
    tokenHeader: HeaderName.optional(),
    /** Prefix of the token; default `Bearer`, may be empty. */
    tokenScheme: z
      .string()
      .refine((scheme) => /^[A-Za-z0-9-]{0,30}$/.test(scheme), wrong('profile.scheme'))
      .optional(),
    /** Fixed headers of every request. Their values are in the keychain, never here. */
    headers: z
      .array(HeaderName)
      .refine(
        (names) => names.length <= HEADERS_MOST,
        wrong('profile.too-many-headers', { most: HEADERS_MOST }),
      )
      .optional(),
    operations: z.record(z.string(), Override).optional(),
  })
  .superRefine((profile, context) => {
    const fault = (path: (string | number)[], what: ReturnType<typeof wrong>) =>
      context.addIssue({ code: 'custom', path, message: what.error(), params: what.params })
    const tokenHeader = (profile.tokenHeader ?? 'authorization').toLowerCase()
    const seen = new Set([tokenHeader])
    for (const [index, name] of (profile.headers ?? []).entries()) {
      const lower = name.toLowerCase()
      if (seen.has(lower))
        fault(
          ['headers', index],
          wrong(lower === tokenHeader ? 'profile.header-is-token' : 'profile.header-twice'),
        )
      seen.add(lower)
    }
    for (const [id, override] of Object.entries(profile.operations ?? {})) {
      const op = operations.find((known) => known.id === id)
      if (!op) fault(['operations', id], wrong('profile.no-operation', { id }))
      else
        for (const [where, what] of faultsOfOverride(op, override)) fault(['operations', id, ...where], what)
    }
  })
export type ApiProfile = z.output<typeof ApiProfile>

function* faultsOfOverride(
  op: Operation,
  override: Shape & { path?: string | undefined },
): Generator<[where: string[], what: ReturnType<typeof wrong>]> {
  if (override.items !== undefined && op.answer.kind !== 'list') yield [['items'], wrong('profile.no-list')]
  if (override.envelope !== undefined && op.answer.kind !== 'json')
    yield [['envelope'], wrong('profile.no-value')]
  const answer = new Set(answerFields(op))
  for (const name of Object.keys(override.answer ?? {}))
    if (!answer.has(name)) yield [['answer', name], wrong('profile.no-answer-field', { name })]
  const request = new Set(requestFields(op))
  for (const name of Object.keys(override.request ?? {}))
    if (!request.has(name)) yield [['request', name], wrong('profile.no-request-field', { name })]
  for (const name of op.carries)
    if (!/^[\w.-]*$/.test(override.request?.[name] ?? ''))
      yield [['request', name], wrong('profile.plain-name')]
  const places = Object.entries(override.request ?? {})
  for (const [at, [name, place]] of places.entries())
    for (const [other, there] of places.slice(at + 1))
      if (place === there || `${place}.`.startsWith(`${there}.`) || `${there}.`.startsWith(`${place}.`))
        yield [['request', other], wrong('profile.same-place', { name })]
  const wanted = paramsOf(op.path)
  if (override.path === undefined || wanted.join() === paramsOf(override.path).join()) return
  const names = wanted.map((name) => `:${name}`).join(', ')
  yield [['path'], names ? wrong('profile.path-params', { names }) : wrong('profile.path-no-params')]
}

/** Null if the operation follows the contract. */
export function shapeOf(op: Operation, profile: ApiProfile | null): Shape | null {
  return profile?.operations?.[op.id] ?? null
}

export type Wire = { kind: 'send'; method: Method; path: string } | { kind: 'off' }

export function wireOf(op: Operation, profile: ApiProfile | null): Wire {
  const override = profile?.operations?.[op.id]
  if (override?.off) return { kind: 'off' }
  return { kind: 'send', method: override?.method ?? op.method, path: override?.path ?? op.path }
}

export type ParsedProfile = { ok: true; profile: ApiProfile } | { ok: false; faults: Fault[] }

export function parseProfile(text: string): ParsedProfile {
  const whole = (said: LocalizedText): ParsedProfile => ({ ok: false, faults: [{ at: [], said }] })
  if (text.length > PROFILE_MOST)
    return whole(localized('profile.too-many-characters', { most: PROFILE_MOST }))
  let value: unknown
  try {
    // Windows editors often write a byte order mark.
    value = JSON.parse(withoutMark(text))
  } catch {
    return whole(localized('profile.no-json'))
  }
  const parsed = ApiProfile.safeParse(value)
  return parsed.success ? { ok: true, profile: parsed.data } : { ok: false, faults: faultsOf(parsed.error) }
}
