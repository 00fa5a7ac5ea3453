import { afterAll, describe, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { consoleOperations } from '../../contract/areas/console.ts'
import { files } from '../../contract/areas/files.ts'
import { servers } from '../../contract/areas/servers.ts'
import { ApiClient } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { problem } from '../base/problem.ts'
import { type TestResponder, listen, refusal, reply } from './test-listener.ts'
import { thrownProblem } from './thrown-problem.fixture.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

async function service(answering: TestResponder, timeoutMs?: number) {
  const listener = await listen(answering)
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    token: async () => 't',
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  client.trust()
  return { listener, client, [Symbol.asyncDispose]: () => listener.stop() }
}

const command = (client: ApiClient) =>
  client.send(consoleOperations.command, { params: { serverId: 's' }, body: { command: 'say hi' } })

const text = (status: number, body: string, type = 'application/json'): TestResponder =>
  function (_request, response) {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

describe('a write with a 2xx is done, and its body only adds', () => {
  test.each([
    [200, ''],
    [200, 'OK'],
    [200, '"queued"'],
    [201, 'null'],
    [202, '[]'],
    [202, '{"accepted": "surely", "lineId": {"epoch": 3}}'],
    [200, '{"accepted": 1, "error": null}'],
    [200, '{"error": ""}'],
    [200, '{"error": {}, "errors": ["a warning"]}'],
    [200, '{"success": true}'],
    [200, '{"data": {"lineId": "e-7"}}'],
  ])('%s %s', async (status, body) => {
    await using at = await service(text(status, body))
    const { value } = await command(at.client)
    expect([null, undefined, 'e-7']).toContain(value?.lineId)
  })

  test('what the body adds is read with tolerance', async () => {
    await using at = await service(text(200, '{"accepted": 1, "line_id": 7}'))
    expect((await command(at.client)).value).toEqual({ accepted: true, lineId: '7' })
  })

  test('a body that says nothing of a created server is no failure', async () => {
    await using at = await service(text(201, '{"message": "created"}'))
    const body = { name: 'S', software: { id: 'demo', version: '1' }, memoryMb: 512 }
    expect((await at.client.send(servers.create, { body })).value).toBeNull()
  })

  test('a job that has failed was begun all the same', async () => {
    const job = {
      id: 'j',
      kind: 'archive',
      state: 'failed',
      path: 'a.zip',
      error: { code: 'c', message: 'm' },
    }
    await using at = await service((_request, response) => reply(response, 202, job))
    const body = { paths: ['a'], to: 'a.zip', format: 'zip' as const }
    const { value } = await at.client.send(files.archive, { params: { serverId: 's' }, body })
    expect(value).toMatchObject({ state: 'failed' })
  })
})

describe('what the service says that it did not take', () => {
  test.each([
    ['{"accepted": false}', undefined],
    ['{"accepted": 0, "lineId": "e-1"}', undefined],
    ['{"data": {"accepted": false}}', undefined],
    ['{"accepted": false, "message": "OK"}', undefined],
    ['{"accepted": false, "error": {"message": "Accepted"}}', undefined],
    [
      '{"accepted": false, "success": false, "error": {"code": "server.asleep", "message": "It sleeps."}}',
      'It sleeps.',
    ],
  ])('is refused, and may be sent again: %s', async (body, why) => {
    await using at = await service(text(202, body))
    const power = { params: { serverId: 's' }, body: { action: 'start' as const } }
    for (const send of [() => command(at.client), () => at.client.send(servers.power, power)]) {
      const found = await thrownProblem(send())
      expect(found).toMatchObject({
        code: 'invalid',
        message: why ?? 'The service answered that it did not accept this, and gave no reason.',
      })
      expect(found.unsure).toBeUndefined()
    }
  })
})

describe('neither done nor failed is a write', () => {
  test.each([
    ['a web page', '<!doctype html><title>Sign in</title>', 'text/html'],
    ['a web page without its type', ' <HTML>', 'application/json'],
    ['a cut body', '{"accepted": tr', 'application/json'],
    ['a cut list', '[{"a": 1},', 'text/plain'],
    ['ok that is false', '{"ok": false}', 'application/json'],
    ['success that is false', '{"Success": "false"}', 'application/json'],
    ['success that is 0', '{"success": 0}', 'application/json'],
    ['an error in words', '{"error": "The server sleeps."}', 'application/json'],
    ['an error', '{"error": {"code": "server.asleep", "message": "It sleeps."}}', 'application/json'],
  ])('that is answered with %s', async (_what, body, type) => {
    await using at = await service(text(200, body, type))
    expect(await thrownProblem(command(at.client))).toMatchObject({
      code: 'unconfirmed',
      unsure: true,
      retryable: false,
    })
    // Also one that answers nothing, and one in a protocol of its own.
    const out = at.client.send(account.signOut, {})
    expect((await thrownProblem(out)).code).toBe('unconfirmed')
    const sent = at.client.raw(files.write, { params: { serverId: 's' }, query: { path: 'a' } })
    expect((await thrownProblem(sent)).code).toBe('unconfirmed')
  })

  test('whose answer was cut off on its way', async () => {
    await using at = await service((_request, response) => {
      response.writeHead(202, { 'content-length': 100 }).write('{"accepted"')
      setImmediate(() => response.destroy())
    })
    expect(await thrownProblem(command(at.client))).toMatchObject({ code: 'unconfirmed', unsure: true })
  })

  test('that says why in its own words', async () => {
    await using at = await service(text(200, '{"ok": false, "message": "It sleeps."}'))
    expect((await thrownProblem(command(at.client))).message).toBe('It sleeps.')
  })
})

describe('whether a write may have been done is known', () => {
  test.each([500, 502, 503, 504, 303, 302])('status %s leaves it open', async (status) => {
    await using at = await service((_request, response) =>
      reply(response, status, undefined, status < 400 ? { location: '/elsewhere' } : {}),
    )
    expect((await thrownProblem(command(at.client))).unsure).toBe(true)
  })

  test.each([400, 403, 405, 409, 413, 422, 429, 501, 507, 308])(
    'status %s says that it was not',
    async (status) => {
      await using at = await service((_request, response) => reply(response, status, refusal('no.no')))
      expect((await thrownProblem(command(at.client))).unsure).toBeUndefined()
    },
  )

  test('an answer that was lost, or never came, leaves it open', async () => {
    await using cut = await service((_request, response) => void response.destroy())
    expect(await thrownProblem(command(cut.client))).toMatchObject({ code: 'offline', unsure: true })
    await using silent = await service(() => {}, 500)
    expect(await thrownProblem(command(silent.client))).toMatchObject({ code: 'offline', unsure: true })
  })

  test('a panel that lets go of a connection does not know it either', async () => {
    await using at = await service(() => at.client.close(problem('offline', { message: 'Restarted.' })))
    expect(await thrownProblem(command(at.client))).toMatchObject({ message: 'Restarted.', unsure: true })
    // What was not sent any more was not done.
    expect((await thrownProblem(command(at.client))).unsure).toBeUndefined()
  })

  test('a service that is not there was sent nothing', async () => {
    const at = await service(() => {})
    await at.listener.stop()
    const fault = await thrownProblem(command(at.client))
    expect(fault.code).toBe('offline')
    expect(fault.unsure).toBeUndefined()
  })

  test('a read that fails has done nothing in any case', async () => {
    await using at = await service((_request, response) => void response.destroy())
    const fault = await thrownProblem(at.client.send(servers.read, { params: { serverId: 's' } }))
    expect(fault.unsure).toBeUndefined()
  })
})

describe('signing in is strict in what matters', () => {
  const signIn = (client: ApiClient) =>
    client.send(account.signIn, { body: { email: 'ann@example.com', password: 'x' } })

  test.each([
    ['', 'incompatible'],
    ['OK', 'service-failed'],
    ['<html>', 'incompatible'],
    ['{"ok": true}', 'incompatible'],
    ['{"refreshToken": "abc", "user": {"id": 1}}', 'incompatible'],
    ['{"csrf": {"token": "abc"}}', 'incompatible'],
    ['{"session": {"token": "abc"}}', 'incompatible'],
    ['{"success": false, "message": "Wrong."}', 'invalid'],
    ['{"success": false, "token": "abc"}', 'invalid'],
    ['{"error": "Wrong.", "token": "abc"}', 'invalid'],
  ])('%s signs nobody in', async (body, code) => {
    await using at = await service(text(200, body))
    expect((await thrownProblem(signIn(at.client))).code).toBe(code)
  })

  test.each(['{"token": "abc"}', '{"data": {"access_token": "abc"}}', '{"result": {"accessToken": "abc"}}'])(
    '%s does',
    async (body) => {
      await using at = await service(text(200, body))
      expect((await signIn(at.client)).value).toMatchObject({ token: 'abc' })
    },
  )
})
