import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import { readAs, readValue } from './answers/read-answer.ts'

const read = (op: Operation, body: unknown) =>
  readValue(op, JSON.stringify(body), { contentType: 'application/json' })
const server = { id: 'a', name: 'Survival' }

describe('a value in an envelope', () => {
  test.each<[string, Operation, unknown, unknown]>([
    ['status', api.servers.status, { status: 'success', data: { status: 'online' } }, { status: 'online' }],
    ['number', api.servers.status, { status: 200, data: { status: 'online' } }, { status: 'online' }],
    ['id', api.account.me, { id: 'req-9', data: { id: 'u', email: 'a@b' } }, { id: 'u', email: 'a@b' }],
    ['name', api.servers.read, { name: 'response', result: server }, server],
    ['id, and no more than that', api.account.me, { id: 'req-9', data: { id: 'u' } }, { id: 'u' }],
    ['id under another name', api.account.me, { _id: 'req-9', data: { userId: 'u' } }, { id: 'u' }],
    ['message', api.servers.read, { success: true, message: 'OK', data: server }, server],
    [
      'token',
      api.account.signIn,
      { token: 'csrf', data: { token: 'real', user: { id: 'u' } } },
      {
        token: 'real',
        user: { id: 'u' },
      },
    ],
  ])('is read where the envelope has a %s too', (_what, op, body, value) => {
    expect(read(op, body)).toMatchObject({ value, fit: { kind: 'fits' } })
  })

  test.each([
    ['a name', { server }],
    ['a second envelope', { data: { result: server } }],
    ['attributes', { data: { id: 'a', attributes: server } }],
    ['a list', { data: [server] }],
  ])('is not looked for under %s', (_where, body) => {
    expect(read(api.servers.read, body).fit).toMatchObject({ kind: 'misfit' })
  })

  test.each([{ status: {} }, { state: [] }, { exitCode: 0 }])(
    'is never replaced by what stands around it: %j',
    (data) => {
      expect(read(api.servers.status, { status: 'success', data }).fit).toMatchObject({ kind: 'misfit' })
    },
  )

  test('is told as a difference from the contract, and what stands around it is not', () => {
    expect(read(api.servers.status, { status: 'success', data: { status: 'online' } }).drifts).toEqual([
      { path: '', expected: 'object', found: 'object', as: 'data' },
    ])
  })
})

describe('what only looks like an envelope', () => {
  test.each<[string, Operation, unknown, unknown]>([
    ['a record of another thing', api.servers.read, { ...server, status: 'online', data: { id: 5 } }, server],
    ['a record of nothing', api.servers.status, { status: 'online', data: {} }, { status: 'online' }],
    [
      'a record without what is needed',
      api.servers.read,
      { ...server, data: { status: 'x', address: {} } },
      server,
    ],
    ['a text', api.servers.status, { status: 'online', data: 'x', result: null }, { status: 'online' }],
  ])('is passed over where it is %s', (_what, op, body, value) => {
    expect(read(op, body)).toMatchObject({ value, fit: { kind: 'fits' } })
  })

  test('is what the contract has a name for', () => {
    const Answer = z.object({ id: z.string(), data: z.object({ id: z.string() }).nullish() })
    expect(readAs(Answer, { id: 'a', data: { id: 'b' } })).toEqual({ id: 'a', data: { id: 'b' } })
  })

  test('costs no fact: long ids and all differences are told of what was read', () => {
    const text = '{"id":12345678901234567890,"name":"n","createdAt":[],"data":{"id":{},"name":"x"}}'
    const reading = readValue(api.servers.read, text, { contentType: 'application/json' })
    expect(reading).toMatchObject({ value: { id: '12345678901234567890', name: 'n' } })
    expect(reading.drifts?.map(({ path }) => path)).toEqual(['id', 'createdAt'])
  })
})
