import { z } from 'zod'
import { isTextAlone, type SecretPlaces, secretPlacesOf } from '../../../contract/declarations/also-named.ts'
import { type Fields, isFields, own } from './fields.ts'
import { plain } from './scalars.ts'
import { ENVELOPES } from './wrapped.ts'

/** Under an ambiguous name, only long strings with digits count as a secret. */
const MOST_LIKELY_SECRET = /^(?=.*\d)[\w.~+/=|-]{20,}$/
const DEPTH_MOST = 3

/**
 * Finds a misplaced secret. Null if there is none, or more than one (contract.md: never a refresh, CSRF or reset
 * token).
 * @param holds whether the secret is present under its own name
 */
export function withSecret(
  raw: Fields,
  field: string,
  { within, unsure }: SecretPlaces,
  holds: (fields: Fields) => boolean,
): Fields | null {
  let fields = raw
  for (let depth = 0; depth < DEPTH_MOST; depth++) {
    const names = Object.keys(fields)
    const likely = names.filter((name) => unsure.includes(plain(name)) && isLikely(own(fields, name)))
    if (likely.length === 1) return { ...fields, [field]: own(fields, likely[0] as string) }
    const around = names.filter((name) => within.includes(plain(name)) && isFields(own(fields, name)))
    const [only, ...others] = around
    if (only === undefined || others.length > 0) return null
    const { [only]: inner, ...beside } = fields
    fields = { ...beside, ...(inner as Fields) }
    if (holds(fields)) return fields
  }
  return null
}

const isLikely = (value: unknown): boolean => typeof value === 'string' && MOST_LIKELY_SECRET.test(value)

/** Adds the secret from the answer's headers, without `Bearer`, to the body. Null if there is none. */
export function withSecretOf(schema: z.ZodType, body: unknown, headers: Fields): Fields | null {
  const places = secretPlacesOf(schema)
  const shape: Readonly<Record<string, z.ZodType>> = schema instanceof z.ZodObject ? schema.shape : {}
  const field = Object.keys(shape).find((name) => isTextAlone(shape[name] as z.ZodType))
  const secret = places?.headers.map((name) => secretIn(own(headers, name))).find((one) => one !== undefined)
  if (field === undefined || secret === undefined) return null
  const around = isFields(body) ? body : {}
  const whole: Record<string, unknown> = { ...around, [field]: secret }
  for (const name of ENVELOPES) {
    const inner = own(around, name)
    if (isFields(inner)) whole[name] = { ...inner, [field]: secret }
  }
  return whole
}

function secretIn(value: unknown): string | undefined {
  const [, secret] = /^\s*(?:bearer\s+)?(\S+)\s*$/i.exec(typeof value === 'string' ? value : '') ?? []
  return secret === undefined || /^bearer$/i.test(secret) ? undefined : secret
}
