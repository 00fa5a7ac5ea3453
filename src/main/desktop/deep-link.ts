import { isNameLine } from '../../contract/messages/one-line.ts'
import { connectionPlace, HOME_PLACE, serverPlace } from './alerts/places.ts'

export const LINK_SCHEME = 'wheelhouse'

const LINK_MOST = 500
const PART_MOST = 200

/** `service` is a connection id or the host of its address. */
export interface DeepLink {
  service: string
  serverId: string | null
  tab: string
}

/**
 * Parses `wheelhouse://server/SERVICE/SERVER[/TAB]` or `wheelhouse://service/SERVICE`; null otherwise. Links are
 * untrusted and only navigate. Query, fragment, user and password are rejected, so no link carries secrets or triggers
 * actions.
 */
export function parseDeepLink(text: string): DeepLink | null {
  if (text.length > LINK_MOST || /[^\x21-\x7e]|[?#@\\]/.test(text)) return null
  const match = /^wheelhouse:\/\/(server|service)((?:\/[^/]+)+)\/?$/i.exec(text)
  const [, what = '', path = ''] = match ?? []
  const parts = path.split('/').slice(1).map(decoded)
  if (!match || !parts.every((part) => part !== null)) return null
  const [service = '', serverId = '', tab = 'overview'] = parts
  if (what.toLowerCase() === 'service')
    return parts.length === 1 ? { service, serverId: null, tab: 'overview' } : null
  if (parts.length < 2 || parts.length > 3 || !/^[a-z-]{1,30}$/.test(tab)) return null
  return { service, serverId, tab }
}

/** Null if not decodable, empty, too long, multi-line, or a path traversal. */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part)
    const isFine = text !== '' && text.length <= PART_MOST && isNameLine(text) && !/^\.{1,2}$/.test(text)
    return isFine ? text : null
  } catch {
    return null
  }
}

export function linkAmong(argv: readonly string[]): string | null {
  return argv.slice(0, 100).find((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}://`)) ?? null
}

export function placeOfLink(link: DeepLink, connections: readonly { id: string; baseUrl: string }[]): string {
  const wanted = link.service.toLowerCase()
  const connection =
    connections.find(({ id }) => id === link.service) ??
    connections.find(({ baseUrl }) => URL.parse(baseUrl)?.host.toLowerCase() === wanted)
  if (!connection) return HOME_PLACE
  if (link.serverId === null) return connectionPlace(connection.id)
  return serverPlace({ connectionId: connection.id, serverId: link.serverId }, link.tab)
}
