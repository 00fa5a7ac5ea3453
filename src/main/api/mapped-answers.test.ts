import { afterAll, describe, expect, test } from 'vitest'
import { consoleOperations } from '../../contract/areas/console.ts'
import { files } from '../../contract/areas/files.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import { servers } from '../../contract/areas/servers.ts'
import { account } from '../../contract/areas/account.ts'
import { ApiClient } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { type ApiProfile, parseProfile } from './profile/profile.ts'
import type { Drift } from './reader/drift.ts'
import { type TestResponder, listen, reply } from './test-listener.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

/** A service, and a client that speaks to it as a profile says. */
async function service(answering: TestResponder, profile: Partial<ApiProfile> | null = null) {
  const listener = await listen(answering)
  const parsed = profile && parseProfile(JSON.stringify({ baseUrl: listener.baseUrl, ...profile }))
  if (parsed && !parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  const drifts: (Drift & { operation: string })[] = []
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    token: async () => 't',
    profile: () => parsed?.profile ?? null,
    constants: async () => ({ 'x-api-key': 'k-1', 'x-other': 'never' }),
    onDrift: (op: Operation, found) => drifts.push(...found.map((one) => ({ operation: op.id, ...one }))),
  })
  client.trust()
  return { listener, client, drifts, [Symbol.asyncDispose]: () => listener.stop() }
}

const params = { serverId: 's' }

describe('ids are sent back as they came', () => {
  const answers =
    (trash: string): TestResponder =>
    (request, response) => {
      if (request.method === 'POST') return reply(response, 204)
      response.writeHead(200, { 'content-type': 'application/json' }).end(trash)
    }

  test.each([
    ['[{"id": 7, "path": "a", "kind": "file"}]', '7', '{"ids":[7]}'],
    ['[{"id": "7", "path": "a", "kind": "file"}]', '7', '{"ids":["7"]}'],
    [
      '{"items": [{"id": 12345678901234567890, "path": "a", "kind": "file"}]}',
      '12345678901234567890',
      '{"ids":[12345678901234567890]}',
    ],
    [
      '{"items": [{"_id": 12345678901234567890, "path": "a", "kind": "file"}], "nextCursor": null}',
      '12345678901234567890',
      '{"ids":[12345678901234567890]}',
    ],
    [
      '[{"id": "12345678901234567890", "path": "a", "kind": "file"}]',
      '12345678901234567890',
      '{"ids":["12345678901234567890"]}',
    ],
  ])('%s', async (trash, id, sent) => {
    await using at = await service(answers(trash))
    const { value } = await at.client.send(files.trash, { params })
    expect(value.items[0]?.id).toBe(id)
    await at.client.send(files.purge, { params, body: { ids: [id] } })
    expect(at.listener.seen.at(-1)?.body).toBe(sent)
  })

  test('what is an id of one thing and a text of another is told apart', async () => {
    await using at = await service(answers('[{"id": 7, "path": "a", "kind": "file"}]'))
    await at.client.send(files.trash, { params })
    await at.client.send(files.cancel, { params, body: { id: '7' } })
    expect(at.listener.seen.at(-1)?.body).toBe('{"id":"7"}')
  })
})

describe('where an answer differs is told', () => {
  test('with names and kinds, and never a value', async () => {
    const secret = 'value-that-nobody-may-see'
    await using at = await service((_request, response) =>
      reply(response, 200, { data: [{ _id: 1, name: 'S', createdAt: [secret], software: secret }] }),
    )
    await at.client.send(servers.list, {})
    expect(at.drifts).toContainEqual({
      operation: 'servers.list',
      path: 'items',
      expected: 'list',
      found: 'list',
      as: 'data',
    })
    expect(at.drifts).toContainEqual({
      operation: 'servers.list',
      path: 'items.[].id',
      expected: 'text',
      found: 'number',
      as: '_id',
    })
    expect(at.drifts).toContainEqual({
      operation: 'servers.list',
      path: 'items.[].createdAt',
      expected: 'time',
      found: 'list',
    })
    expect(JSON.stringify(at.drifts)).not.toContain(secret)
  })

  test('a list under a name that is a value is told without that name', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, { 'ann@example.com': [{ id: 's', name: 'S' }] }),
    )
    await at.client.send(servers.list, {})
    expect(JSON.stringify(at.drifts)).not.toContain('ann@')
    expect(at.drifts).toHaveLength(1)
  })

  test('errors count too', async () => {
    await using at = await service((_request, response) => reply(response, 400, { message: 'No.' }))
    await at.client.send(servers.read, { params }).catch(() => {})
    expect(at.drifts).toEqual([
      { operation: 'servers.read', path: 'error', expected: 'object', found: 'missing' },
    ])
  })

  test('a service that keeps to the contract is told nothing of', async () => {
    await using at = await service((request, response) =>
      request.method === 'GET'
        ? reply(response, 200, { items: [{ id: 's', name: 'S', status: 'online' }], nextCursor: null })
        : reply(response, 404, { error: { code: 'server.not-found', message: 'No.' } }),
    )
    await at.client.send(servers.list, {})
    await at.client.send(consoleOperations.command, { params, body: { command: 'x' } }).catch(() => {})
    expect(at.drifts).toEqual([])
  })
})

describe('a refusal that names the field it wants proposes it', () => {
  test.each([
    [{ error: { message: '"cmd" is required' } }, 'cmd'],
    [{ message: 'Missing required field: "cmd"' }, 'cmd'],
    [{ errors: { cmd: ['The cmd field is required.'] } }, 'cmd'],
    [{ message: 'No.', errors: [{ path: 'body.cmd', message: 'Required' }] }, 'cmd'],
    [{ error: { fields: { Command: ['is missing'] } } }, 'Command'],
  ])('%j', async (body, name) => {
    await using at = await service((_request, response) => reply(response, 422, body))
    await at.client.send(consoleOperations.command, { params, body: { command: 'x' } }).catch(() => {})
    expect(at.drifts).toContainEqual({
      operation: 'console.command',
      path: 'request.command',
      expected: 'text',
      found: 'missing',
      as: name,
    })
  })

  test('by one of the other names of ours, where it can mean no other', async () => {
    const body = { name: 'Ann', email: 'a@b.de', password: 'Ann likes long ones' }
    const fields = { username: ['missing'], passphrase: ['missing'] }
    await using at = await service((_request, response) =>
      reply(response, 422, { error: { code: 'c.c', message: 'No.', fields } }),
    )
    await at.client.send(account.signIn, { body }).catch(() => {})
    const found = (name: string, as: string) => expect.objectContaining({ path: `request.${name}`, as })
    expect(at.drifts).toEqual([found('email', 'username'), found('password', 'passphrase')])
    // Whoever registers is asked for a name too, which may be what is meant.
    at.drifts.length = 0
    await at.client.send(account.register, { body }).catch(() => {})
    expect(at.drifts).toEqual([found('password', 'passphrase')])
  })

  test('but not where it is our own, or could mean several', async () => {
    await using own = await service((_request, response) =>
      reply(response, 422, { error: { code: 'c.c', message: 'No.', fields: { command: ['too long'] } } }),
    )
    await own.client.send(consoleOperations.command, { params, body: { command: 'x' } }).catch(() => {})
    expect(own.drifts).toEqual([])
    await using at = await service((_request, response) =>
      reply(response, 422, { error: { code: 'c.c', message: 'handle is required' } }),
    )
    const body = { email: 'a@b.de', password: 'x' }
    await at.client.send(account.signIn, { body }).catch(() => {})
    expect(at.drifts).toEqual([])
  })
})

describe('a profile maps', () => {
  test('where the items are and what their fields are called', async () => {
    const answer = {
      payload: { machines: [{ uid: 5, info: { label: 'S', run: 'up' }, host: { soft: 'Paper' } }], total: 1 },
    }
    await using at = await service((_request, response) => reply(response, 200, answer), {
      operations: {
        'servers.list': {
          items: 'payload.machines',
          answer: { id: 'uid', name: 'info.label', 'software.id': 'host.soft' },
        },
      },
    })
    const { value } = await at.client.send(servers.list, {})
    expect(value).toMatchObject({
      items: [{ id: '5', name: 'S', software: { id: 'Paper' } }],
      complete: true,
    })
    // What the profile says is expected; the number is not.
    expect(at.drifts).toEqual([
      { operation: 'servers.list', path: 'items.[].id', expected: 'text', found: 'number' },
    ])
  })

  test('where the value is, and fields of a list within it', async () => {
    const answer = { reply: { body: { done: [{ file: 'a', state: 'done' }] } } }
    await using at = await service((_request, response) => reply(response, 200, answer), {
      operations: {
        'files.copy': {
          envelope: 'reply.body',
          answer: { results: 'done', 'results.[].path': 'file', 'results.[].outcome': 'state' },
        },
      },
    })
    const items = [{ from: 'a', to: 'b' }]
    const { value } = await at.client.send(files.copy, { params, body: { items } })
    expect(value?.results).toEqual([{ path: 'a', outcome: 'done' }])
  })

  test('names of what is sent, in the query and the body', async () => {
    await using at = await service((_request, response) => reply(response, 200, { items: [] }), {
      operations: {
        'console.command': { request: { command: 'data.cmd' } },
        'files.list': { request: { path: 'dir' } },
        'servers.create': { request: { 'software.id': 'software.kind', memoryMb: 'ram' } },
      },
    })
    await at.client.send(consoleOperations.command, { params, body: { command: 'say hi' } })
    expect(at.listener.seen.at(-1)?.body).toBe('{"data":{"cmd":"say hi"}}')
    await at.client.send(files.list, { params, query: { path: 'a/b', limit: 5 } })
    expect(at.listener.seen.at(-1)?.url).toBe('/api/v1/servers/files/s?dir=a%2Fb&limit=5')
    const body = { name: 'S', software: { id: 'demo', version: '1' }, memoryMb: 512 }
    await at.client.send(servers.create, { body })
    expect(JSON.parse(at.listener.seen.at(-1)?.body ?? '')).toEqual({
      name: 'S',
      software: { version: '1', kind: 'demo' },
      ram: 512,
    })
  })

  test('what it does not find is read as ever', async () => {
    await using at = await service((_request, response) => reply(response, 200, [{ id: 's', name: 'S' }]), {
      operations: { 'servers.list': { items: 'payload.machines', answer: { id: 'uid' } } },
    })
    expect((await at.client.send(servers.list, {})).value.items).toEqual([{ id: 's', name: 'S' }])
  })

  test('names of every object are names like any others in an answer', async () => {
    const text = '{"items": [{"__proto__": {"uid": "x"}, "uid": "s", "name": "S"}]}'
    await using at = await service((_request, response) => void response.end(text), {
      operations: { 'servers.list': { answer: { id: 'uid' } } },
    })
    expect((await at.client.send(servers.list, {})).value.items).toEqual([{ id: 's', name: 'S' }])
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  test('constants for headers: those it names, and no others', async () => {
    await using at = await service((_request, response) => reply(response, 200, []), {
      headers: ['X-Api-Key'],
    })
    await at.client.send(servers.list, {})
    expect(at.listener.seen[0]?.headers).toMatchObject({ 'x-api-key': 'k-1', authorization: 'Bearer t' })
    expect(at.listener.seen[0]?.headers).not.toHaveProperty('x-other')
  })
})
