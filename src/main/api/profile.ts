import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readKept } from '../../computer/kept-file.ts'
import { operations } from '../../contract/areas/index.ts'
import type { Method, Operation } from '../../contract/areas/operation.ts'
import { baseAddress } from './address.ts'
import { PanelProblem } from './problem.ts'

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

const Override = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    path: Path.optional(),
    /** True: this service does not offer the operation; it is never asked. */
    off: z.boolean().optional(),
  })
  .describe('override')

const paramsOf = (path: string) =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((found) => found[1] as string).sort()

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
    tokenHeader: z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}$/, 'is not a valid header name')
      .refine((name) => !taken.test(name), 'is a header with another meaning')
      .optional(),
    /** What stands before the token; `Bearer` unless given, empty for nothing. */
    tokenScheme: z
      .string()
      .regex(/^[A-Za-z0-9-]{0,30}$/, 'must be one word')
      .optional(),
    operations: z.record(z.string(), Override).optional(),
  })
  .superRefine((profile, context) => {
    for (const [id, override] of Object.entries(profile.operations ?? {})) {
      const op = operations.find((known) => known.id === id)
      if (!op) {
        context.addIssue({
          code: 'custom',
          path: ['operations', id],
          message: 'is not the id of an operation',
        })
        continue
      }
      if (override.path === undefined) continue
      const wanted = paramsOf(op.path)
      if (wanted.join() !== paramsOf(override.path).join()) {
        const list = wanted.map((name) => `:${name}`).join(' and ')
        context.addIssue({
          code: 'custom',
          path: ['operations', id, 'path'],
          message: list ? `must contain ${list} exactly once` : 'must not contain a parameter',
        })
      }
    }
  })
export type ApiProfile = z.output<typeof ApiProfile>

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
  let value: unknown
  try {
    value = JSON.parse(text)
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
  faults: readonly string[]
}

/** Reads every `*.json` of a folder; a missing folder holds no profiles. A bad file hinders no other. */
export async function loadProfiles(folder: string): Promise<Profiles> {
  const byBaseUrl = new Map<string, ApiProfile>()
  const faults: string[] = []
  let names: string[]
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') faults.push('The profiles folder cannot be read.')
    return { byBaseUrl, faults }
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
    } else byBaseUrl.set(parsed.profile.baseUrl, parsed.profile)
  }
  return { byBaseUrl, faults }
}
