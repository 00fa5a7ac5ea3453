export interface Profile {
  baseUrl?: string
  tokenHeader?: string
  tokenScheme?: string
  headers?: readonly string[]
  operations?: Readonly<Record<string, Override>>
}

export interface Override {
  method?: string
  path?: string
  off?: boolean
  items?: string
  envelope?: string
  answer?: Readonly<Record<string, string>>
  request?: Readonly<Record<string, string>>
}

/** Null if a form cannot show it. Unknown fields are kept. */
export function readProfile(text: string): Profile | null {
  try {
    const value: unknown = JSON.parse(text)
    return isProfile(value) ? value : null
  } catch {
    return null
  }
}

export const writeProfile = (profile: Profile): string => `${JSON.stringify(profile, null, 2)}\n`

export function withField<T>(record: Readonly<Record<string, T>> | undefined, name: string, value?: T) {
  const others = Object.entries(record ?? {}).filter(([other]) => other !== name)
  if (value === undefined) return Object.fromEntries(others)
  const at = Object.keys(record ?? {}).indexOf(name)
  others.splice(at < 0 ? others.length : at, 0, [name, value])
  return Object.fromEntries(others)
}

/** Adds what the proposal has beyond the kept profile. The draft's own entries win. */
export function withSeen(draft: Profile, kept: Profile, proposed: Profile): Profile {
  const operations: Record<string, Override> = { ...draft.operations }
  for (const [id, seen] of Object.entries(proposed.operations ?? {})) {
    const before = kept.operations?.[id] ?? {}
    const now = operations[id] ?? {}
    const news = Object.entries(seen).filter(([field]) => !(field in before) && !isOfNames(field))
    const next: Override = { ...Object.fromEntries(news), ...now }
    for (const of of ['answer', 'request'] as const) {
      const names = Object.entries(seen[of] ?? {}).filter(([field]) => before[of]?.[field] === undefined)
      if (names.length > 0) next[of] = { ...Object.fromEntries(names), ...now[of] }
    }
    if (Object.keys(next).length > 0) operations[id] = next
  }
  return { ...draft, operations }
}

const isOfNames = (field: string): boolean => field === 'answer' || field === 'request'

export function textAt(profile: Profile | null, at: readonly string[]): string {
  let value: unknown = profile
  for (const name of at)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined
  return JSON.stringify(value) ?? ''
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isRecord = (value: unknown, each: (one: unknown) => boolean): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(each)
const isNames = (value: unknown): boolean => isRecord(value, isText)
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

type Kinds = Readonly<Record<string, (value: unknown) => boolean>>
const overrideKinds: Kinds = {
  ...{ method: isText, path: isText, off: isFlag, items: isText, envelope: isText },
  ...{ answer: isNames, request: isNames },
}
const hasKinds = (value: unknown, kinds: Kinds): boolean =>
  isRecord(value, () => true) &&
  Object.entries(kinds).every(([name, is]) => {
    const one = (value as Record<string, unknown>)[name]
    return one === undefined || is(one)
  })
const profileKinds: Kinds = {
  ...{ baseUrl: isText, tokenHeader: isText, tokenScheme: isText, headers: isList },
  operations: (value) => isRecord(value, (one) => hasKinds(one, overrideKinds)),
}
const isProfile = (value: unknown): value is Profile => hasKinds(value, profileKinds)
