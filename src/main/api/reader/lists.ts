import { type Fields, isFields, own } from './fields.ts'
import { type Paging, pagingOf } from './paging.ts'
import { at } from './shape.ts'
import { plain } from './scalars.ts'

export interface LocatedList extends Paging {
  raw: readonly unknown[]
  as?: string
}

export interface ListHints {
  /** Path from a profile; tried first. */
  place?: string | undefined
  before?: number
  headers?: Fields | undefined
}

export const ENVELOPES = ['data', 'result'] as const
/** By priority; the resource's own names come after. */
const LIST_NAMES = ['items', 'data', 'results']
const ABOUT_OTHERS = new Set(['errors', 'warnings', 'messages', 'links'])

interface ListCandidate {
  raw: readonly unknown[]
  path: readonly string[]
}

/** Finds the list in an answer (contract.md, "Tolerance"). Null if there is none. */
export function findList(
  value: unknown,
  resources: readonly string[],
  { place, before = 0, headers = {} }: ListHints = {},
): LocatedList | null {
  const placed = place === undefined ? undefined : at(value, place)
  const found: ListCandidate | null =
    place !== undefined && Array.isArray(placed)
      ? { raw: placed as unknown[], path: place.split('.') }
      : listIn(value, [...LIST_NAMES, ...resources].map(plain))
  if (!found) return null
  const { raw, path } = found
  const beside = Object.entries(headers)
  let around = value
  for (const name of path) {
    if (!isFields(around)) break
    beside.push(...Object.entries(around).filter(([other]) => other !== name))
    around = own(around, name)
  }
  const { complete, ...paging } = pagingOf(beside, before + raw.length)
  const as = path.join('.')
  return {
    ...{ raw, ...paging },
    // Another list of objects may hold the rest.
    complete: complete && (raw === placed || !beside.some(([name, one]) => isOther(name, one))),
    ...(as !== '' && as !== 'items' && raw !== placed && { as }),
  }
}

const isAboutOthers = (name: string): boolean => ABOUT_OTHERS.has(plain(name))

const isOther = (name: string, value: unknown): boolean =>
  !isAboutOthers(name) && Array.isArray(value) && value.some(isFields)

/** An empty list under an unknown name proves nothing. */
function listIn(value: unknown, known: readonly string[], isInside = false): ListCandidate | null {
  if (Array.isArray(value)) return { raw: value as unknown[], path: [] }
  if (!isFields(value)) return null
  const lists = Object.keys(value).filter((name) => Array.isArray(own(value, name)))
  const list = (name: string): ListCandidate => ({ raw: own(value, name) as unknown[], path: [name] })
  const named = known.flatMap((wanted) => lists.find((name) => plain(name) === wanted) ?? [])[0]
  if (named !== undefined) return list(named)
  for (const name of isInside ? [] : ENVELOPES) {
    const inner = listIn(own(value, name), known, true)
    if (inner) return { ...inner, path: [name, ...inner.path] }
  }
  const [only, ...others] = lists.filter((name) => !isAboutOthers(name))
  return only !== undefined && others.length === 0 && list(only).raw.length > 0 ? list(only) : null
}
