import { api } from '../../contract/areas/index.ts'
import type { PlaceSetting, RelocationWarning } from '../../contract/bridge/relocation-calls.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { propertiesIn, withProperties } from '../../contract/rules/properties-text.ts'
import type { ApiClient } from '../api/client.ts'
import { readWhole } from '../areas/files/contents.ts'
import { PanelProblem } from '../base/problem.ts'

export const PROPERTIES = 'server.properties'

/** Settings of the machine, not of the world: each place keeps its own. */
const OF_PLACE = [
  ...['server-port', 'server-ip', 'enable-query', 'query.port', 'enable-rcon', 'rcon.port', 'rcon.password'],
  ...['management-server-enabled', 'management-server-host', 'management-server-port'],
  'management-server-secret',
] as const

const SHOWN = ['server-port', 'server-ip', 'query.port', 'rcon.port'] as const
/** Ports of what is off don't matter. */
const SWITCHES: Partial<Record<string, string>> = { 'query.port': 'enable-query', 'rcon.port': 'enable-rcon' }
const VALUE_MOST = 200
const PATHS_MOST = 10

/** A text file; null if it isn't there or is larger than a text. */
export async function readText(
  client: ApiClient,
  serverId: string,
  path: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<string | null> {
  try {
    const whole = await readWhole({ client, serverId, path })
    return whole.kind === 'bytes' ? whole.bytes.toString(encoding) : null
  } catch (error) {
    if (error instanceof PanelProblem && error.problem.code === 'not-found') return null
    throw error
  }
}

interface ServerPlace {
  properties: ReadonlyMap<string, string> | null
  memoryMb: number | null
  port: number | null
}

export async function readPlace(client: ApiClient, serverId: string): Promise<ServerPlace> {
  const { value } = await client.send(api.servers.read, { params: { serverId } })
  const text = await readText(client, serverId, PROPERTIES)
  return {
    properties: text === null ? null : propertiesIn(text),
    memoryMb: value.memoryMb ?? null,
    port: value.address?.port ?? null,
  }
}

/** What differs between two places; all that is set if a server is created there. */
export function placeSettings(from: ServerPlace, to: ServerPlace | null): PlaceSetting[] {
  const named = SHOWN.map((name): PlaceSetting => ({
    name,
    from: shown(from, name),
    to: to && (shown(to, name) ?? (name === 'server-port' && to.port !== null ? String(to.port) : null)),
  }))
  const memory = ({ memoryMb }: ServerPlace) => (memoryMb === null ? null : String(memoryMb))
  return [...named, { name: 'memory' as const, from: memory(from), to: to && memory(to) }].filter(
    (one) => one.from !== one.to,
  )
}

function shown({ properties }: ServerPlace, name: string): string | null {
  const value = properties?.get(name) ?? ''
  const turnedOn = SWITCHES[name]
  if (value === '' || (turnedOn && properties?.get(turnedOn) !== 'true')) return null
  return asOneLine(value).slice(0, VALUE_MOST)
}

/** What may not work elsewhere as it did. */
export async function placeWarnings(
  client: ApiClient,
  serverId: string,
  { properties }: ServerPlace,
): Promise<RelocationWarning[]> {
  const paths = [...(properties ?? [])]
    .filter(([, value]) => /^(?:\/[\w.-]+|[A-Za-z]:[\\/]|\.\.[\\/])/.test(value))
    .slice(0, PATHS_MOST)
    .map(([name, value]): RelocationWarning => ({
      kind: 'path',
      name: asOneLine(name).slice(0, VALUE_MOST),
      value: asOneLine(value).slice(0, VALUE_MOST),
    }))
  if (properties?.get('online-mode')?.toLowerCase() !== 'false') return paths
  const spigot = (await readText(client, serverId, 'spigot.yml')) ?? ''
  const paper = (await readText(client, serverId, 'config/paper-global.yml')) ?? ''
  const isBehindProxy = /^\s+bungeecord:\s*true\b/m.test(spigot) || hasVelocity(paper)
  return [{ kind: isBehindProxy ? 'proxy' : 'open-names' }, ...paths]
}

/** `enabled: true` directly below `velocity:`. */
function hasVelocity(text: string): boolean {
  const lines = text.split(/\r?\n/)
  const at = lines.findIndex((line) => /^\s+velocity:\s*$/.test(line))
  const depth = (line: string) => line.length - line.trimStart().length
  for (const line of at < 0 ? [] : lines.slice(at + 1)) {
    if (line.trim() !== '' && depth(line) <= depth(lines[at]!)) return false
    if (/^\s+enabled:\s*true\b/.test(line)) return true
  }
  return false
}

/** The settings of a server as another place needs them: what belongs to that place stays as it is there. */
export function settledProperties(text: string, there: string | null, port: number | null): string {
  const own = there === null ? null : propertiesIn(there)
  const fresh = new Map<string, string | null>([
    ['server-ip', ''],
    ['enable-rcon', 'false'],
    ['management-server-enabled', 'false'],
    ...(port === null ? [] : [['server-port', String(port)] as const]),
  ])
  const kept = own ? new Map(OF_PLACE.map((name) => [name, own.get(name) ?? null])) : fresh
  return withProperties(text, kept) ?? text
}
