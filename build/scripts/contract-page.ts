import { format } from 'prettier'
import { z } from 'zod'
import { operations } from '../../src/contract/areas/index.ts'
import type { Operation, ScopeRule } from '../../src/contract/areas/operation.ts'

/** What the panel does where a service does not offer an operation and something else takes its place. */
export const INSTEAD: Readonly<Record<string, string>> = {
  'account.me': 'whose account it is comes from the answer that gave the token',
  'account.sessions': 'the list of sign-ins is not there',
  'account.sign-in-methods': 'how one signs in is not shown, and nothing can be unlinked',
  'account.second-factor': 'nothing of a second factor is shown',
  'servers.list': 'servers that were added by their ids are shown',
  'console.events': 'status, statistics and lines are asked for at intervals',
  'players.list': 'those are listed of whom there are statistics',
  'players.act': 'the command is sent to the console, which confirms nothing',
  'files.upload': 'each file is sent in one request, which starts again after a failure',
  'files.batch': 'each file is sent by itself',
  'files.trash': 'the panel asks before it deletes, and keeps on this computer what it can',
  'files.limits': 'before the first byte, only the account’s permissions are checked',
}

const HEAD = `# The contract: what the specification states, and what we assumed

Made from the declarations in \`src/contract/areas\` by \`npm run openapi\`; a test compares it with them.

The [specification](spec/hosting-control-api.md) of the Hosting Control API v1 is an alpha and leaves most things open. Each
operation says what of it stands there:

- **stated**: the specification says so.
- **assumed**: it has to be there for what the specification describes, and we filled in how.
- **extension**: the specification does not describe it; a service without it is complete.

Nothing but what is stated is certain: every operation may be absent, or differ, and the panel goes on without it. Where the
last column says nothing else, the panel says in its place that the service does not offer it, asks again after a day, and
at once when **Check again** is chosen. Fields with \`?\` may be left out. **Holds** is what has to be held at the server; the
owner holds everything. A list that comes from a catalog says in the header \`Age\` how many seconds old it is where the service
had nothing newer than what it kept; the panel says so beside it. The service serves the full schemas
as \`/api/v1/openapi.json\`; \`npm run openapi\` writes them to \`out/openapi.json\`.
`

/** `docs/contract.md`: every declared operation, by area. */
export async function contractPage(): Promise<string> {
  const areas = [...new Set(operations.map(({ area }) => area))]
  const count = (origin: string) => operations.filter((op) => op.origin.path === origin).length
  const sum =
    `${operations.length} operations: the path is stated of ${count('stated')}, assumed of ${count('assumed')}, and ` +
    `${count('extension')} are extensions. The built-in service offers all of them.\n`
  const parts = areas.map((area) => sectionOf(area))
  const links = areas.map((area) => `[${area}](#${area})`).join(' · ')
  const text = [HEAD, sum, `${links}\n`, ...parts].join('\n')
  return format(text, { parser: 'markdown', printWidth: 120 })
}

function sectionOf(area: string): string {
  const rows = operations.filter((op) => op.area === area).map((op) => `| ${cellsOf(op).join(' | ')} |`)
  return [
    `## ${area}\n`,
    '| Operation | Request | Path, method, shape | Holds | Sends | Answers | Without it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function cellsOf(op: Operation): string[] {
  const { id, summary, method, path, origin } = op
  return [
    `\`${id}\`<br>${inCell(summary)}`,
    `\`${method} ${path}\``,
    originOf(origin),
    inCell(holdsOf(op)),
    sendsOf(op),
    answerOf(op),
    INSTEAD[id] ?? '',
  ]
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function originOf({ path, method, shape }: Operation['origin']): string {
  return path === method && method === shape ? path : `${path}, ${method}, ${shape}`
}

function holdsOf({ scope, token }: Operation): string {
  if (scope === null) return token ? 'signed in' : 'nothing'
  return typeof scope === 'object' ? tableOf(scope) : scope === 'owner' ? 'owner' : `\`${scope}\``
}

function tableOf(scope: Exclude<ScopeRule, string>): string {
  const { by, needs } = scope as { by: string; needs: Readonly<Record<string, readonly string[]>> }
  const rows = Object.entries(needs).map(
    ([word, scopes]) => `${word} ${scopes.map((one) => `\`${one}\``).join(' + ')}`,
  )
  return `by \`${by}\`: ${rows.join(', ')}`
}

function sendsOf({ query, body, sends, carries }: Operation): string {
  const parts = [
    ...(query ? [`?${fieldsOf(query)}`] : []),
    ...(body ? [fieldsOf(body)] : []),
    ...(sends === 'bytes' ? [`bytes${carries.length > 0 ? ` with ${code(carries)}` : ''}`] : []),
  ]
  return parts.join('<br>')
}

function answerOf({ answer }: Operation): string {
  switch (answer.kind) {
    case 'none':
      return ''
    case 'json':
      return fieldsOf(answer.schema)
    case 'list':
      return `a list of ${fieldsOf(answer.item)}${answer.parts ? ', and `unreadable?`' : ''}`
    case 'events':
      return `events: ${code(Object.keys(answer.needs))}`
    case 'bytes':
      return 'bytes'
  }
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ')

interface Described {
  properties?: Record<string, unknown>
  required?: string[]
  anyOf?: Described[]
  items?: Described
}

/** The names of a schema's fields, those that may be left out with `?`; of one of several shapes those of each. */
function fieldsOf(schema: z.ZodType): string {
  return namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described)
}

function namesIn({ properties, required = [], anyOf, items }: Described): string {
  if (anyOf) return [...new Set(anyOf.map(namesIn))].filter((one) => one !== '').join(' or ')
  if (items) return `a list of ${namesIn(items)}`
  return code(Object.keys(properties ?? {}).map((name) => (required.includes(name) ? name : `${name}?`)))
}
