import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import type { z } from 'zod'
import { consoleOperations, events } from '../../src/contract/areas/console.ts'
import { FailureReason } from '../../src/contract/declarations/errors.ts'
import { operations } from '../../src/contract/areas/index.ts'
import { accountEvents } from '../../src/contract/areas/notifications.ts'
import type { Answer, Area, Operation } from '../../src/contract/declarations/operation.ts'
import { groups, RUNS_PROGRAMS } from '../../src/contract/rules/scopes.ts'
import { code, fieldList, namesIn, sharedIn, typeOf } from './contract-fields.ts'
import { at } from './project.js'

/** What the panel does without an operation, unless it only hides it or says that the service doesn't offer it. */
export const INSTEAD: Readonly<Record<string, string>> = {
  'account.me': 'the panel knows the account from the answer to the sign-in',
  'servers.list': 'people add servers by ID',
  'console.events': 'the panel polls status, statistics and lines',
  'players.list': 'the panel lists the players that have statistics',
  'players.act': 'the panel sends console commands, which confirm nothing',
  'files.batch': 'the panel uploads files one by one',
  'files.trash': 'the panel asks before it deletes, and keeps what it can on this computer',
  'files.limits': 'only permissions are checked before an upload',
}

/** The page's hand-written text. Each comment in it, such as `<!-- operations: files -->`, is replaced by a list. */
const TEMPLATE = new URL('contract-page.markdown', import.meta.url)
const COMMENT = /<!-- ([a-z-]+)(?:: ([a-z-]+))? -->/g

/** Parameters of paged lists. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor'])

/** `docs/contract.md`: the rules of the API, and every declared operation by area. */
export async function contractPage(): Promise<string> {
  const listed = new Set<z.ZodObject>([FailureReason])
  const text = readFileSync(TEMPLATE, 'utf8').replaceAll(COMMENT, (_comment, list: string, area?: string) =>
    linesOf(list, area as Area, listed).join('\n'),
  )
  const options = await resolveConfig(at('docs/contract.md'))
  return format(text, { ...options, parser: 'markdown', proseWrap: 'always' })
}

/** @param listed schemas whose fields are listed further up */
function linesOf(list: string, area: Area, listed: Set<z.ZodObject>): string[] {
  switch (list) {
    case 'count':
      return [countOf()]
    case 'why-failed':
      return fieldList(FailureReason)
    case 'server-events':
      return eventsOf(events, consoleOperations.events.answer.needs)
    case 'account-events':
      return eventsOf(accountEvents, {})
    case 'scopes':
      return Object.values(groups).map((group) => `- ${group.map(scopeOf).join(', ')}`)
    case 'operations':
      return operationsOf(area)
    case 'fields':
      return fieldsOf(area, listed)
    default:
      throw new Error(`There is no list called ${list}.`)
  }
}

function countOf(): string {
  const count = (origin: string) => operations.filter((op) => op.origin.path === origin).length
  return (
    `Of ${operations.length} operations, the specification states the paths of ${count('stated')}. ` +
    `We filled in ${count('assumed')} and added ${count('extension')}.`
  )
}

const eventsOf = (
  all: Readonly<Record<string, z.ZodObject>>,
  needs: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(all).map(([name, data]) => {
    const scope = needs[name] ? ` (${code(needs[name])})` : ''
    return `- ${code(name)}${scope}: ${namesIn(data) || 'no fields'}`
  })

const scopeOf = (scope: string) => code(scope) + (RUNS_PROGRAMS.has(scope) ? ' (owner grants)' : '')

const TITLES = { stated: 'Stated', assumed: 'Filled in', extension: 'Added' }

function operationsOf(area: Area): string[] {
  return Object.entries(TITLES).flatMap(([origin, title]) => {
    const group = operations.filter((op) => op.area === area && op.origin.path === origin)
    return group.length === 0 ? [] : [`**${title}**\n`, ...group.flatMap(operationOf), '']
  })
}

/** An operation in one line with what it answers, and below what it takes; for extensions, the OpenAPI document says that. */
function operationOf(op: Operation): string[] {
  const { id, summary, method, path, origin, query, body, answer } = op
  const table =
    op.scope !== null && typeof op.scope === 'object' && 'by' in op.scope ? (op.scope as ScopeTable) : null
  const isPaged = query?.shape['cursor'] !== undefined
  const shapes = {
    Query: query ? namesIn(query, isPaged ? PAGING : undefined) : '',
    Body: body ? namesIn(body) : '',
    Fields: op.carries.map(code).join(', '),
  }
  const answered = [statusOf(op), answerOf(answer), isPaged ? 'paged' : ''].filter(Boolean).join(', ')
  const isShown = origin.path !== 'extension'
  const below = [
    ...(origin.path === 'stated' && origin.method !== 'stated' ? ['The method is filled in.'] : []),
    ...(table ? [`Scopes: ${scopesBy(table)}`] : []),
    ...Object.entries(shapes).flatMap(([title, shape]) => (isShown && shape ? [`${title}: ${shape}`] : [])),
    ...(INSTEAD[id] ? [`Without it, ${INSTEAD[id]}.`] : []),
  ]
  const about = [code(nameOf(op)), ...needsOf(op, table)].join(', ')
  const whole = `- ${code(`${method} ${path}`)}: ${summary} (${about})${isShown && answered ? ` → ${answered}` : ''}`
  return [whole, ...below.map((line) => `  - ${line}`)]
}

/** The ID within its area, whose heading it is below. */
export const nameOf = ({ id, area }: Operation): string => id.slice(area.length + 1)

function needsOf({ token, scope, secondFactor }: Operation, table: ScopeTable | null): string[] {
  return [
    ...(token ? [] : ['no token']),
    ...(scope === 'owner' ? [scope] : typeof scope === 'string' ? [code(scope)] : []),
    ...(Array.isArray(scope) ? [(scope as readonly string[]).map(code).join(' and ')] : []),
    ...(table ? [`scope by ${code(table.by)}`] : []),
    ...(secondFactor ? ['second factor'] : []),
  ]
}

interface ScopeTable {
  by: string
  needs: Readonly<Record<string, readonly string[]>>
}

function scopesBy({ needs }: ScopeTable): string {
  const rows = Map.groupBy(Object.entries(needs), ([, scopes]) => scopes.map(code).join(' and '))
  return [...rows]
    .map(([scopes, words]) => `${scopes} for ${words.map(([word]) => code(word)).join(' ')}`)
    .join('; ')
}

/** The status of a success, unless it is the usual one. */
const statusOf = ({ status }: Operation): string => (status === 200 || status === 204 ? '' : String(status))

function answerOf(answer: Answer): string {
  switch (answer.kind) {
    case 'none':
      return ''
    case 'json': {
      const type = typeOf(answer.schema)
      return type === 'object' ? namesIn(answer.schema) : type
    }
    case 'list':
      return `list of ${typeOf(answer.item)}`
    case 'events':
    case 'bytes':
      return answer.kind
  }
}

/** The fields of what an area's operations answer, but for its extensions. */
function fieldsOf(area: Area, listed: Set<z.ZodObject>): string[] {
  const answers = operations.flatMap(({ area: one, origin, answer }) => {
    if (one !== area || origin.path === 'extension') return []
    return answer.kind === 'json' ? [answer.schema] : answer.kind === 'list' ? [answer.item] : []
  })
  const lines: string[] = []
  for (const schema of answers.flatMap(sharedIn)) {
    if (listed.has(schema)) continue
    listed.add(schema)
    lines.push(`- ${typeOf(schema)}`, ...fieldList(schema, '  '))
  }
  return lines
}
