import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { None, OperationOf, PassedId, ReadId, ViewId, WriteId } from './index.ts'
import { area } from '../declarations/declare.ts'
import { type InputOf, json, list, type OutputOf } from '../declarations/operation.ts'

const { read, write } = area('players')
const Thing = z.object({ id: z.string() })
const some = { summary: 'Of a test', origin: 'assumed' } as const

// What must not compile: `npm run check` fails where one of these does.
void (() => {
  // @ts-expect-error an operation of a server names its scope
  read({ ...some, id: 'a.b', path: '/servers/a/:serverId', keep: 'disk' })
  // @ts-expect-error and so does a write
  write({ ...some, id: 'a.b', path: '/servers/a/:serverId', method: 'POST' })
  // @ts-expect-error that a scope exists is known
  read({ ...some, id: 'a.b', path: '/servers/a/:serverId', keep: 'disk', scope: 'players.dance' })
  // @ts-expect-error a read says where its answer is kept
  read({ ...some, id: 'a.b', path: '/a', answer: json(Thing) })
  // @ts-expect-error bytes are no view
  read({ ...some, id: 'a.b', path: '/a', keep: 'never', answer: { kind: 'bytes' } })
  // @ts-expect-error what is asked without a token is not for the window to ask
  read({ ...some, id: 'a.b', path: '/a', keep: 'never', token: false })
  // @ts-expect-error and not for it to send
  write({ ...some, id: 'a.b', path: '/a', method: 'POST', token: false, bridge: 'pass' })
  // @ts-expect-error bytes do not cross the bridge
  write({ ...some, id: 'a.b', path: '/a', method: 'POST', sends: 'bytes', bridge: 'pass' })
  // @ts-expect-error items are told apart by a field that they have
  list(Thing, 'name')
})

const wrongStale = () => write({ ...some, id: 'a.b', path: '/a', method: 'POST', stale: ['players.lists'] })
// @ts-expect-error what is called stale is a read
export type Stale = None<Exclude<ReturnType<typeof wrongStale>['stale'][number], ReadId>>
const wrongPuts = () => write({ ...some, id: 'a.b', path: '/a', method: 'POST', puts: 'players.act' })
// @ts-expect-error and what is put is one
export type Puts = None<Exclude<ReturnType<typeof wrongPuts>['stale'][number], ReadId>>
void [wrongStale, wrongPuts]

/** What is a secret, or makes one. */
type Secret =
  'password' | 'currentPassword' | 'newPassword' | 'token' | 'code' | 'secret' | 'uri' | 'recoveryCodes'
type SecretKeys<T> = [NonNullable<T>] extends [never] ? never : keyof NonNullable<T> & Secret
type BodyOf<Op> = InputOf<Op> extends { body: infer B } ? B : never
type WithSecret = {
  [W in WriteId]: SecretKeys<BodyOf<OperationOf<W>>> | SecretKeys<OutputOf<OperationOf<W>>> extends never
    ? never
    : W
}[WriteId]

test('a write that holds a secret is none that a window can send', () => {
  expectTypeOf<WithSecret & PassedId>().toEqualTypeOf<never>()
  expectTypeOf<'account.sign-in' | 'account.confirm' | 'account.update-password'>().toExtend<WithSecret>()
  expectTypeOf<Extract<PassedId, `account.${string}`>>().toEqualTypeOf<
    'account.update-me' | 'account.end-session' | 'account.end-other-sessions'
  >()
  expectTypeOf<Extract<ViewId, 'account.google' | 'account.export' | 'files.read'>>().toEqualTypeOf<never>()
})
