import { isNameLine } from '../../contract/messages/one-line.ts'
import { connectionPlace, HOME_PLACE, serverPlace } from './alerts/places.ts'

/** The scheme of links to places of the panel. The page itself comes from another one. */
export const LINK_SCHEME = 'wheelhouse'

const LINK_MOST = 500
const PART_MOST = 200

/** Where a link leads: to a service, by the id of its connection or by the host of its address, and to a server there. */
export interface DeepLink {
  service: string
  serverId: string | null
  tab: string
}

/**
 * Reads `wheelhouse://server/SERVICE/SERVER[/TAB]` or `wheelhouse://service/SERVICE`; null for whatever else. A link comes
 * from strangers and leads to a place, no more: with a query, a fragment, a name or a password it is none, so that nothing
 * secret is ever sent in one and nothing is ever done by one.
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

/** A part of a link; null where it is none: not decodable, empty, too long, of several lines, or a way through folders. */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part)
    const isFine = text !== '' && text.length <= PART_MOST && isNameLine(text) && !/^\.{1,2}$/.test(text)
    return isFine ? text : null
  } catch {
    return null
  }
}

/** The first link among the arguments of a program that was started, or started a second time, with one. */
export function linkAmong(argv: readonly string[]): string | null {
  return argv.slice(0, 100).find((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}://`)) ?? null
}

/** The place of the page that a link means; the first screen where there is no such connection here. */
export function placeOfLink(link: DeepLink, connections: readonly { id: string; baseUrl: string }[]): string {
  const wanted = link.service.toLowerCase()
  const connection =
    connections.find(({ id }) => id === link.service) ??
    connections.find(({ baseUrl }) => URL.parse(baseUrl)?.host.toLowerCase() === wanted)
  if (!connection) return HOME_PLACE
  if (link.serverId === null) return connectionPlace(connection.id)
  return serverPlace({ connectionId: connection.id, serverId: link.serverId }, link.tab)
}
