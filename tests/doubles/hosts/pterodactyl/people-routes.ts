import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type DoubleEvent,
  type DoubleServer,
  type DoubleUser,
  error,
  forbidden,
  type Handler,
  invalid,
  notFound,
} from './routes.ts'

/** Whose key it is. */
export const ME = 'steve'
const ALWAYS = 'websocket.connect'

/** Subusers and the activity log, as checked by panel 1.11. */
export function peopleHandler(route: string): Handler | undefined {
  if (route === 'GET /activity')
    return ({ server, url }) => forbidden(server, 'activity.read') ?? logOf(server, url)
  const match = /^(\w+) \/users(?:\/([^/]+))?$/.exec(route)
  if (!match) return undefined
  const [, method = '', uuid] = match
  return ({ server, json }) => {
    const needed = { GET: 'read', POST: uuid ? 'update' : 'create', DELETE: 'delete' }[method] ?? 'none'
    const refused = forbidden(server, `user.${needed}`)
    if (refused) return refused
    if (!uuid)
      return method === 'GET'
        ? { status: 200, body: { object: 'list', data: server.users.map(userObject) } }
        : added(server, json())
    const user = server.users.find((one) => one.uuid === uuid)
    if (!user) return notFound()
    if (method === 'GET') return { status: 200, body: userObject(user) }
    if (user.username === ME) return error(403, 'AuthorizationException', 'This action is unauthorized.')
    if (method === 'POST') return granted(server, user, json())
    server.users = server.users.filter((one) => one !== user)
    return { status: 204 }
  }
}

type Given = Record<string, unknown>

function added(server: DoubleServer, given: Given): Answer {
  const { email } = given
  if (typeof email !== 'string' || !email.includes('@'))
    return invalid('email', 'The email must be a valid email address.')
  if (server.users.some((one) => one.email === email))
    return error(
      400,
      'ServerSubuserExistsException',
      'A user with that email address is already assigned as a subuser for this server.',
    )
  const user = { uuid: randomUUID(), username: email.split('@')[0]!, email, permissions: [] }
  const answer = granted(server, user, given)
  if (answer.status === 200) server.users.push(user)
  return answer
}

/** Nobody grants what they lack. */
function granted(server: DoubleServer, user: DoubleUser, { permissions }: Given): Answer {
  if (!Array.isArray(permissions)) return invalid('permissions', 'The permissions field is required.')
  const wished = permissions as string[]
  if (!server.owner && wished.some((one) => !server.permissions.includes(one)))
    return error(
      403,
      'HttpForbiddenException',
      'Cannot assign permissions to a subuser that your account does not actively possess.',
    )
  user.permissions = [...new Set([...wished, ALWAYS])]
  return { status: 200, body: userObject(user) }
}

const userObject = ({ uuid, username, email, permissions }: DoubleUser) => ({
  object: 'server_subuser',
  attributes: {
    ...{ uuid, username, email, image: 'https://gravatar.com/avatar/x', '2fa_enabled': false },
    ...{ created_at: '2026-10-01T10:00:00+00:00', permissions },
  },
})

function logOf({ log }: DoubleServer, url: URL): Answer {
  const query = url.searchParams
  if (query.get('sort') !== '-timestamp' || query.get('include[]') !== 'actor')
    return error(400, 'InvalidSortQuery', 'Requested sort is not allowed.')
  const each = Math.min(100, Number(query.get('per_page') ?? 25))
  const page = Number(query.get('page') ?? 1)
  const data = log.slice((page - 1) * each, page * each).map(eventObject)
  const pagination = {
    total: log.length,
    per_page: each,
    total_pages: Math.max(1, Math.ceil(log.length / each)),
  }
  return { status: 200, body: { object: 'list', data, meta: { pagination } } }
}

const eventObject = ({ event, actor, properties, timestamp, ip }: DoubleEvent) => ({
  object: 'activity_log',
  attributes: {
    ...{ batch: null, event, is_api: false, ip: ip ?? null, description: null, properties, timestamp },
    has_additional_metadata: false,
    relationships: {
      actor: actor
        ? {
            object: 'user',
            attributes: { uuid: randomUUID(), username: actor, email: `${actor}@example.com` },
          }
        : { object: 'null_resource', attributes: null },
    },
  },
})
