import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readKept } from '../../computer/kept-file.ts'
import { operations } from '../../contract/areas/index.ts'
import type { Method, Operation } from '../../contract/areas/operation.ts'
import { baseAddress } from './address.ts'
import { PanelProblem } from './problem.ts'
import { withoutMark } from './reader/json.ts'
import { answerFields, requestFields, type Shape } from './shape.ts'

/** Fields named for one operation at most. */
const NAMES_MOST = 100
/** Constants for headers at most. */
export const HEADERS_MOST = 10
/** Longest profile, in characters. */
export const PROFILE_MOST = 200_000
/** Most files of a folder of profiles that are read. */
const FILES_MOST = 500

/** Headers whose meaning HTTP itself fixes: a token in one of them would break the request or be sent elsewhere. */
const taken =
  /^(host|content-.*|connection|transfer-encoding|te|upgrade|accept.*|if-.*|range|cookie|expect|proxy-.*)$/i

const Path = z
  .string()
  .max(500)
  .regex(/^\/(?!\/)/, 'must begin with exactly one “/”')
  .refine((path) => !/[?#]/.test(path), 'must not contain a query or fragment')
  .refine((path) => !/[\\\s\p{Cc}@]/u.test(path), 'must not contain backslashes, white space or “@”')
  .refine((path) => !path.includes('//'), 'must not contain “//”')
  .refine((path) => !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path), 'must not contain “.” or “..” as a part')

/** A name of a service's own, or several with dots between them: a way through its objects. */
const FieldPath = z
  .string()
  .max(200, 'is longer than 200 characters')
  .regex(/^[^.]{1,60}(\.[^.]{1,60}){0,5}$/, 'must be a name, or up to six with dots between them')
  .refine((place) => !/[\p{Cc}\s]/u.test(place), 'must not contain white space')
  .refine(
    (place) => !/(^|\.)(__proto__|constructor|prototype)(\.|$)/.test(place),
    'must not be a name that every object has',
  )

/** The contract's field → the service's place. */
const Names = z
  .record(z.string(), FieldPath)
  .refine(
    (names) => Object.keys(names).length <= NAMES_MOST,
    `must not contain more than ${NAMES_MOST} fields`,
  )

const Override = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    path: Path.optional(),
    /** True: this service does not offer the operation; it is never asked. */
    off: z.boolean().optional(),
    /** Of a list: where its items are. */
    items: FieldPath.optional(),
    /** Of one value: where it is. */
    envelope: FieldPath.optional(),
    /** Fields of the answer, from the item or the value on. */
    answer: Names.optional(),
    /** Fields of the query and the body. */
    request: Names.optional(),
  })
  .describe('override')

const paramsOf = (path: string) =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((found) => found[1] as string).sort()

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}$/, 'is not the name of a header')
  .refine((name) => !taken.test(name), 'is a header that has another meaning')

/** What one service does otherwise than the contract: a JSON file that its owner writes. */
export const ApiProfile = z
  .strictObject({
    /** Which service it is for. */
    baseUrl: z.string().transform((typed, context) => {
      try {
        return baseAddress(typed)
      } catch (fault) {
        context.addIssue({
          code: 'custom',
          message: fault instanceof PanelProblem ? fault.message : 'is not a valid address',
        })
        return z.NEVER
      }
    }),
    /** Name of the header that carries the token; `Authorization` unless given. */
    tokenHeader: HeaderName.optional(),
    /** What stands before the token; `Bearer` unless given, empty for nothing. */
    tokenScheme: z
      .string()
      .regex(/^[A-Za-z0-9-]{0,30}$/, 'must be one word')
      .optional(),
    /** Headers that go with every request and always hold the same. Their values are in the keychain, never here. */
    headers: z
      .array(HeaderName)
      .max(HEADERS_MOST, `must not name more than ${HEADERS_MOST} headers`)
      .optional(),
    operations: z.record(z.string(), Override).optional(),
  })
  .superRefine((profile, context) => {
    const fault = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const tokenHeader = (profile.tokenHeader ?? 'authorization').toLowerCase()
    const seen = new Set([tokenHeader])
    for (const [index, name] of (profile.headers ?? []).entries()) {
      if (seen.has(name.toLowerCase()))
        fault(
          ['headers', index],
          name.toLowerCase() === tokenHeader ? 'is the header of the token' : 'is named twice',
        )
      seen.add(name.toLowerCase())
    }
    for (const [id, override] of Object.entries(profile.operations ?? {})) {
      const op = operations.find((known) => known.id === id)
      if (!op) {
        fault(['operations', id], 'is not the id of an operation')
        continue
      }
      for (const [where, what] of faultsOfShape(op, override)) fault(['operations', id, ...where], what)
      if (override.path === undefined) continue
      const wanted = paramsOf(op.path)
      if (wanted.join() !== paramsOf(override.path).join()) {
        const list = wanted.map((name) => `:${name}`).join(' and ')
        fault(
          ['operations', id, 'path'],
          list ? `must contain ${list} exactly once` : 'must not contain a parameter',
        )
      }
    }
  })
export type ApiProfile = z.output<typeof ApiProfile>

/** What does not go together with the operation it is said of. */
function* faultsOfShape(op: Operation, shape: Shape): Generator<[where: string[], what: string]> {
  if (shape.items !== undefined && op.answer.kind !== 'list')
    yield [['items'], 'is for operations that answer a list, and this one does not']
  if (shape.envelope !== undefined && op.answer.kind !== 'json')
    yield [['envelope'], 'is for operations that answer one value, and this one does not']
  const answer = new Set(answerFields(op))
  for (const name of Object.keys(shape.answer ?? {}))
    if (!answer.has(name)) yield [['answer', name], "is not a field of this operation's answer"]
  const request = new Set(requestFields(op))
  for (const name of Object.keys(shape.request ?? {}))
    if (!request.has(name)) yield [['request', name], 'is not a field of what this operation sends']
  const places = Object.entries(shape.request ?? {})
  for (const [at, [name, place]] of places.entries())
    for (const [other, there] of places.slice(at + 1))
      if (place === there || `${place}.`.startsWith(`${there}.`) || `${there}.`.startsWith(`${place}.`))
        yield [['request', other], `goes to the same place as “${name}”`]
}

/** Names and places of an operation at a service; null where they are the contract's. */
export function shapeOf(op: Operation, profile: ApiProfile | null): Shape | null {
  return profile?.operations?.[op.id] ?? null
}

/** How an operation goes out to one service. */
export type Wire = { kind: 'send'; method: Method; path: string } | { kind: 'off' }

/** Method and path of an operation after the profile had its say. */
export function wireOf(op: Operation, profile: ApiProfile | null): Wire {
  const override = profile?.operations?.[op.id]
  if (override?.off) return { kind: 'off' }
  return { kind: 'send', method: override?.method ?? op.method, path: override?.path ?? op.path }
}

/** Reads a profile, or says in a sentence which field is wrong and why. */
export function parseProfile(
  text: string,
): { ok: true; profile: ApiProfile } | { ok: false; reason: string } {
  if (text.length > PROFILE_MOST)
    return { ok: false, reason: `The profile has more than ${PROFILE_MOST} characters.` }
  let value: unknown
  try {
    // Editors on Windows like to put a mark of the byte order before it.
    value = JSON.parse(withoutMark(text))
  } catch {
    return { ok: false, reason: 'The profile is not valid JSON.' }
  }
  const parsed = ApiProfile.safeParse(value)
  if (parsed.success) return { ok: true, profile: parsed.data }
  const issue = parsed.error.issues[0]
  const field = issue?.path.join(' → ') || 'profile'
  return { ok: false, reason: `The profile's field “${field}” cannot be used: ${issue?.message}.` }
}

/** Profiles by base address, and a sentence for each file that could not be used. */
export interface Profiles {
  byBaseUrl: ReadonlyMap<string, ApiProfile>
  /** The file each was read from. */
  fileOf: ReadonlyMap<string, string>
  faults: readonly string[]
}

/** Reads every `*.json` of a folder; a missing folder holds no profiles. A bad file hinders no other. */
export async function loadProfiles(folder: string): Promise<Profiles> {
  const byBaseUrl = new Map<string, ApiProfile>()
  const fileOf = new Map<string, string>()
  const faults: string[] = []
  let names: string[]
  try {
    names = (await readdir(folder))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, FILES_MOST)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') faults.push('The profiles folder cannot be read.')
    return { byBaseUrl, fileOf, faults }
  }
  for (const name of names) {
    const parsed = await readKept(join(folder, name)).then(
      (text) => parseProfile(text ?? ''),
      () => ({
        ok: false as const,
        reason: 'The file cannot be read.',
      }),
    )
    if (!parsed.ok) faults.push(`${name}: ${parsed.reason}`)
    else if (byBaseUrl.has(parsed.profile.baseUrl)) {
      faults.push(`${name}: There is another profile for ${parsed.profile.baseUrl}; this one is left out.`)
    } else {
      byBaseUrl.set(parsed.profile.baseUrl, parsed.profile)
      fileOf.set(parsed.profile.baseUrl, name)
    }
  }
  return { byBaseUrl, fileOf, faults }
}
