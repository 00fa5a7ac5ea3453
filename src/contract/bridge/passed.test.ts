import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Extension } from '../areas/extensions.ts'
import { operations } from '../areas/index.ts'
import type { Operation } from '../declarations/operation.ts'
import type { CallInput, CallOutput } from './calls.ts'
import { readView, sendOperation, sentOperations, viewOperations, type ViewValue } from './passed.ts'
import type { ListValue, Player, ServerList, ServerConfig, View } from './values.ts'

const passed = [...viewOperations.values(), ...sentOperations.values()]

/** The names of all fields in a schema. */
function namesIn(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const names: string[] = []
  JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }), (key, value: unknown) => {
    if (key === 'properties') names.push(...Object.keys(value as object))
    return value
  })
  return names
}
const answered = ({ answer }: Operation) =>
  answer.kind === 'json' ? answer.schema : answer.kind === 'list' ? answer.item : undefined
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'code',
  'secret',
  'uri',
  'recoveryCodes',
]
const secretsOf = (op: Operation) =>
  [op.body, op.query, answered(op)].flatMap(namesIn).filter((name) => secrets.includes(name))
/** `error.code` is what went wrong, and no code that was mailed. */
const isError = (op: Operation) => namesIn(answered(op)).includes('error')

describe('what a window may ask for by name', () => {
  it('needs the token, carries no bytes and no secret', () => {
    expect(passed.length).toBeGreaterThan(20)
    for (const op of passed) {
      expect(op, op.id).toMatchObject({ token: true, sends: null, bridge: 'pass' })
      expect(['none', 'json', 'list'], op.id).toContain(op.answer.kind)
      expect(
        secretsOf(op).filter((name) => name !== 'code' || !isError(op)),
        op.id,
      ).toEqual([])
    }
    const secret = operations.filter((op) => secretsOf(op).length > 0 && !isError(op))
    expect(secret.map(({ id }) => id)).toContain('account.sign-in')
    expect(secret.filter(({ bridge }) => bridge === 'pass')).toEqual([])
  })

  it('is every read and write that is declared so, and no other', () => {
    for (const op of operations) {
      const name = op.kind === 'read' ? { view: op.id } : { operation: op.id }
      const schema = op.kind === 'read' ? readView.input : sendOperation.input
      const { error } = schema.safeParse({ ...name, connectionId: 'c' })
      const isKnown = !error?.issues.some(({ code }) => code === 'invalid_union')
      expect(isKnown, op.id).toBe(op.bridge === 'pass')
    }
  })

  it('answers by a write what the read it puts answers', () => {
    const putting = passed.filter(({ puts }) => puts !== null)
    expect(putting.length).toBeGreaterThan(0)
    for (const op of putting) {
      const read = [...viewOperations.values()].find(({ id }) => id === op.puts)
      expect(answered(op), op.id).toBe(read && answered(read))
      const names = (path = '') => path.match(/:\w+/g)
      expect(names(op.path), op.id).toEqual(names(read?.path))
    }
  })

  it('is typed by its name, from the declaration to the window', () => {
    type ViewInput<V extends string> = Extract<CallInput<'view.read'>, { view: V }>
    expectTypeOf<CallOutput<'view.read', ViewInput<'servers.list'>>>().toEqualTypeOf<View<ServerList>>()
    expectTypeOf<ViewValue<'servers.read-config'>>().toEqualTypeOf<ServerConfig>()
    expectTypeOf<ViewValue<'players.list'>>().toEqualTypeOf<ListValue<Player>>()
    expectTypeOf<ViewValue<'extensions.list'>>().toEqualTypeOf<ListValue<Extension>>()
    expectTypeOf<ViewInput<'files.list'>['params']>().toEqualTypeOf<Record<'serverId', string>>()
    expectTypeOf<ViewInput<'servers.list'>>().not.toHaveProperty('query')
    expectTypeOf<ViewInput<'files.list'>['query']>().toEqualTypeOf<
      { path?: string | undefined } | undefined
    >()
  })
})
