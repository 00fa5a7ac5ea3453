import { onTestFinished } from 'vitest'
import { servers } from '../../contract/areas/servers.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import { listen, type Listener, refusal, reply } from '../api/test-listener.ts'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import type { ConnectionRecord } from './connection-records.ts'
import { Connections, type ConnectionsPorts } from './connections.ts'
import { memoryStore } from './secret-store.ts'

/** That of the process, which several files of tests share: it ends with it. */
const dispatcher = makeDispatcher()

export const ann = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
export const ben = { id: 'u2', name: 'Ben', email: 'ben@example.com' }
export const ends = '2027-01-01T00:00:00Z'

/** A service with two accounts, whose tokens live until it forgets them. */
export async function service(port?: number, alive = new Map<string, typeof ann>()) {
  let count = alive.size
  const listener = await listen(
    ({ method, path, headers, body }, response) => {
      const whose = alive.get(headers.authorization?.replace('Bearer ', '') ?? '')
      const given = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
      const session = (user: typeof ann) => {
        const token = `token-${user.id}-${++count}`
        alive.set(token, user)
        return { token, expiresAt: ends, user }
      }
      switch (`${method} ${path}`) {
        case 'POST /auth/login': {
          const user = given.email === ann.email ? ann : ben
          if (given.password === 'right') return reply(response, 200, session(user))
          if (given.password === 'unconfirmed') return reply(response, 403, refusal('account.unconfirmed'))
          return reply(response, 401, refusal('auth.wrong', 'Wrong email or password.'))
        }
        case 'POST /auth/register':
          return reply(response, 201, { user: ann })
        case 'POST /auth/email/confirm':
          return given.code === '123456'
            ? reply(response, 200, session(ann))
            : reply(response, 422, refusal('code.wrong', 'Wrong code.', { code: ['Wrong code.'] }))
        case 'POST /auth/email/resend':
        case 'POST /auth/password/forgot':
          return reply(response, 204)
        case 'POST /auth/password/reset':
          for (const [token, user] of alive) if (user.email === given.email) alive.delete(token)
          return reply(response, 204)
      }
      if (!whose) return reply(response, 401, refusal('auth.required'))
      switch (`${method} ${path}`) {
        case 'GET /users/me':
          return reply(response, 200, whose)
        case 'POST /auth/logout':
          alive.delete(headers.authorization?.replace('Bearer ', '') ?? '')
          return reply(response, 204)
        case 'DELETE /users/me/sessions':
          for (const [token, user] of alive)
            if (user === whose && headers.authorization !== `Bearer ${token}`) alive.delete(token)
          return reply(response, 204)
        case 'PATCH /users/password':
          return given.currentPassword === 'right'
            ? reply(response, 204)
            : reply(response, 401, refusal('password.wrong', 'Wrong.'))
        case 'GET /servers':
          return reply(response, 200, { items: [{ id: 's1', name: `Of ${whose.name}` }], nextCursor: null })
        default:
          return reply(response, 404)
      }
    },
    // One that listens again does so where it was.
    { port: port ?? ownPort() },
  )
  return Object.assign(listener, { alive })
}

/** Records in memory, as plain data. */
export function recordsOf(held: ConnectionRecord[] = []) {
  return {
    held,
    all: async () => structuredClone(held),
    save: async (record: ConnectionRecord) => {
      const at = held.findIndex(({ id }) => id === record.id)
      held.splice(at < 0 ? held.length : at, at < 0 ? 0 : 1, structuredClone(record))
    },
    remove: async (id: string) => void held.splice(0, held.length, ...held.filter((one) => one.id !== id)),
  }
}

export async function panel(ports: Partial<ConnectionsPorts> = {}) {
  const wiped: string[] = []
  const records = recordsOf()
  const secrets = memoryStore('A test keeps nothing.')
  const wipe = async (id: string) => void wiped.push(id)
  const connections = new Connections({ records, secrets, dispatcher, wipe, ...ports })
  onTestFinished(() => connections.close())
  await connections.load()
  return { connections, records, secrets, wiped }
}

/** Resolves with the connection when it comes to stand as wanted. */
export function until(
  connections: Connections,
  id: string,
  wanted: Connection['state']['kind'],
): Promise<Connection> {
  return new Promise((resolve) => {
    const look = (list: Connection[]) => {
      const found = list.find((one) => one.id === id)
      if (found?.state.kind !== wanted) return
      stop()
      resolve(found)
    }
    const stop = connections.onChange(look)
    look(connections.list())
  })
}

export const signIn = (at: Listener, who = ann) => ({
  baseUrl: at.baseUrl,
  email: who.email,
  password: 'right',
})
export const read = async (connections: Connections, id: string) =>
  (await connections.client(id).send(servers.list, {})).value.items[0]?.name
