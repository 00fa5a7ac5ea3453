/**
 * What a declaration may not say. Nothing here runs: `npm run check` fails where one of these lines compiles, because the
 * error that is expected on it is missing.
 */
import { z } from 'zod'
import type { AnyOperation, None, ReadId } from '../areas/index.ts'
import { area } from './declare.ts'
import type { Operation, ScopeRule } from './operation.ts'

const { read, write } = area('players')
const ofServer = { summary: '', path: '/servers/players/:serverId', origin: 'assumed' } as const

// @ts-expect-error -- a read of a server without a scope
read({ id: 'a', ...ofServer, keep: 'disk' })
// @ts-expect-error -- a write of a server without a scope
write({ id: 'b', ...ofServer, method: 'POST' })
// @ts-expect-error -- also where more stands behind the server
read({ id: 'd', ...ofServer, path: '/servers/players/:serverId/:playerId', keep: 'disk' })
// @ts-expect-error -- a scope that is not in the list
read({ id: 'e', ...ofServer, keep: 'disk', scope: 'players.raed' })
// @ts-expect-error -- a scope where there is no server
read({ id: 'f', ...ofServer, path: '/players', keep: 'disk', scope: 'players.read' })

const body = z.object({ action: z.enum(['kick', 'ban']), name: z.string() })
// @ts-expect-error -- a table of scopes by a field that the body has not
write({ id: 'g', ...ofServer, method: 'POST', body, scope: { by: 'verb', needs: { kick: [], ban: [] } } })
const some = { kick: ['players.act'] } as const
// @ts-expect-error -- a table that leaves out one of the field's values
write({ id: 'h', ...ofServer, method: 'POST', body, scope: { by: 'action', needs: some } })
const needs = { kick: ['players.act'], ban: ['players.cat'] } as const
// @ts-expect-error -- a scope in a table that is not in the list
write({ id: 'i', ...ofServer, method: 'POST', body, scope: { by: 'action', needs } })
// @ts-expect-error -- a table where there is no body
write({ id: 'j', ...ofServer, method: 'POST', scope: { by: 'action', needs: { kick: [], ban: [] } } })

/** What index.ts asks of all operations, of one that calls something stale that nobody can read. */
export const stray = write({
  id: 'k',
  ...ofServer,
  method: 'POST',
  scope: 'players.act',
  stale: ['players.list', 'players.lits'],
})
// @ts-expect-error -- `players.lits` is no read
export type Stray = None<Exclude<(typeof stray)['stale'][number], ReadId>>

// All of these are taken.
export const taken: Operation[] = [
  read({ id: 'l', ...ofServer, scope: 'players.read', keep: 'disk' }),
  write({
    id: 'm',
    ...ofServer,
    method: 'POST',
    body,
    scope: { by: 'action', needs: { kick: [], ban: ['players.act'] } },
  }),
]
export type Rules = AnyOperation['scope'] extends ScopeRule | null ? true : never
