import type { Operation } from '../../../contract/declarations/operation.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { type Content, lengthOf } from './content.ts'
import { problem } from '../../base/problem.ts'
import type { ApiProfile, Wire } from '../profile/profile.ts'

export interface RequestInput {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  body?: unknown
}

/** `.`, `..` and empty values are refused with `invalid`: no encoding protects them from URL resolution. */
export function addressOf(baseUrl: string, wire: Extract<Wire, { kind: 'send' }>, given: RequestInput): URL {
  const path = wire.path.replace(/:([A-Za-z]+)/g, (_whole, name: string) => {
    const value = given.params?.[name]
    if (value === undefined || value === '' || /^\.{1,2}$/.test(value)) {
      throw problem('invalid', localized('panel.bad-value', { value: value ?? '' }), {
        fields: { [name]: ['is not usable'] },
      })
    }
    return encodeURIComponent(value)
  })
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  const base = new URL(baseUrl)
  if (url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`)) {
    throw problem('refused', localized('panel.leaves-service'))
  }
  return url
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
}
const USER_AGENT = `Wheelhouse (${systems[process.platform] ?? process.platform})`

const accepted = {
  events: 'text/event-stream',
  bytes: '*/*',
  none: 'application/json',
  json: 'application/json',
  list: 'application/json',
} satisfies Record<Operation['answer']['kind'], string>

/** Exactly one header carries the token. */
export function headersOf(
  op: Operation,
  profile: ApiProfile | null,
  given: RequestInput,
  extra: {
    token: string | null
    headers?: Record<string, string>
    content?: Content
    encoding: string
    /** Fixed headers from the profile; lower-case names. */
    constants?: Readonly<Record<string, string>>
  },
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(extra.headers ?? {})) headers[name.toLowerCase()] = value
  headers['accept'] = accepted[op.answer.kind]
  headers['accept-encoding'] = extra.encoding
  headers['user-agent'] = USER_AGENT
  if (given.body !== undefined) headers['content-type'] = 'application/json'
  if (extra.content !== undefined) {
    headers['content-type'] ??= 'application/octet-stream'
    const length = lengthOf(extra.content)
    if (length !== null) headers['content-length'] = String(length)
  }
  for (const named of profile?.headers ?? []) {
    const name = named.toLowerCase()
    const value = extra.constants && Object.hasOwn(extra.constants, name) ? extra.constants[name] : undefined
    if (value !== undefined) headers[name] = value
  }
  if (extra.token !== null) {
    const scheme = profile?.tokenScheme ?? 'Bearer'
    const name = (profile?.tokenHeader ?? 'authorization').toLowerCase()
    headers[name] = scheme === '' ? extra.token : `${scheme} ${extra.token}`
  }
  return headers
}
