import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { files } from '../../contract/areas/files.ts'
import { ApiClient, type ApiClientOptions } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { type TestResponder, listen, refusal, reply } from './test-listener.ts'
import { thrownProblem } from './thrown-problem.fixture.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const at = { params: { serverId: 's' }, query: { path: 'a/b ü.txt' } }
const written = { entry: { name: 'b ü.txt', kind: 'file', size: 3 } }

function clientAt(baseUrl: string, options: Partial<ApiClientOptions> = {}): ApiClient {
  const client = new ApiClient({ baseUrl, dispatcher, token: async () => 'good', ...options })
  client.trust()
  return client
}

async function service(answering: TestResponder) {
  const listener = await listen(answering)
  return { listener, client: clientAt(listener.baseUrl), [Symbol.asyncDispose]: () => listener.stop() }
}

/** A listener that is handed the request before its body has come. */
async function bare(take: RequestListener) {
  const server = createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { baseUrl, [Symbol.asyncDispose]: stop }
}

describe('bytes that are sent', () => {
  test('go out as they are, with their length, their type and the conditions of the write', async () => {
    await using to = await service((_request, response) => reply(response, 200, written, { etag: '"2"' }))
    const answer = await to.client.send(files.write, at, {
      content: Buffer.from('ä\r\n'),
      contentType: 'text/plain',
      ifMatch: '"1"',
      ifNoneMatch: '*',
    })
    expect(answer).toEqual({ value: written, etag: '"2"', heldSince: null })
    const [seen] = to.listener.seen
    expect(seen).toMatchObject({
      method: 'PUT',
      url: '/api/v1/servers/files/content/s?path=a%2Fb+%C3%BC.txt',
      body: 'ä\r\n',
    })
    expect(seen?.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '4',
      'if-match': '"1"',
      'if-none-match': '*',
      authorization: 'Bearer good',
    })
  })

  test('may be nothing at all, and may be more than one piece', async () => {
    await using to = await service((_request, response) => reply(response, 200, written))
    await to.client.send(files.write, at, { content: Buffer.alloc(0) })
    await to.client.send(files.write, at, { content: Buffer.alloc(300_001, 'x') })
    expect(to.listener.seen.map(({ headers }) => headers['content-length'])).toEqual(['0', '300001'])
    expect(to.listener.seen[1]?.body).toBe('x'.repeat(300_001))
  })

  test('may come from a stream whose length nobody knows', async () => {
    await using to = await service((_request, response) => reply(response, 200, { results: [] }))
    const content = Readable.from([Buffer.from('one '), Buffer.from('two')])
    await to.client.send(files.batch, { params: { serverId: 's' } }, { content })
    expect(to.listener.seen[0]?.body).toBe('one two')
    expect(to.listener.seen[0]?.headers['transfer-encoding']).toBe('chunked')
  })

  test('are let go where the call is not sent at all', async () => {
    const client = new ApiClient({
      baseUrl: 'http://127.0.0.1:9/api/v1',
      dispatcher,
      token: async () => null,
    })
    client.trust()
    const content = Readable.from([Buffer.from('never')])
    expect((await thrownProblem(client.send(files.write, at, { content }))).code).toBe('signed-out')
    expect(content.destroyed).toBe(true)
  })

  test('may take longer than the head of an answer may, as long as they move', async () => {
    let came = 0
    await using slow = await bare((request, response) => {
      void (async () => {
        for await (const chunk of request as AsyncIterable<Buffer>) {
          came += chunk.length
          if (came % (4 << 20) < chunk.length) await sleep(200)
        }
        reply(response, 200, written)
      })()
    })
    // The head may take 4 × 400 ms; the whole takes more than two seconds.
    const client = clientAt(slow.baseUrl, { timeoutMs: 400 })
    await client.send(files.write, at, { content: Buffer.alloc(48 << 20) })
    expect(came).toBe(48 << 20)
  })

  test('that nobody takes any more are offline', async () => {
    await using deaf = await bare(() => {})
    const client = clientAt(deaf.baseUrl, { timeoutMs: 100 })
    const fault = await thrownProblem(client.send(files.write, at, { content: Buffer.alloc(48 << 20) }))
    expect(fault).toMatchObject({ code: 'offline', detail: 'UND_ERR_HEADERS_TIMEOUT' })
  })

  test('that are refused before they have come say why', async () => {
    await using strict = await bare((request, response) => {
      reply(response, 413, refusal('files.too-large', 'At most 1 MB.'))
      request.resume()
    })
    const content = Readable.from(
      (function* () {
        for (let piece = 0; piece < 512; piece++) yield Buffer.alloc(1 << 16)
      })(),
    )
    const fault = await thrownProblem(clientAt(strict.baseUrl).send(files.write, at, { content }))
    expect(fault).toMatchObject({ code: 'too-large', serviceCode: 'files.too-large' })
    expect(content.destroyed).toBe(true)
  })

  test.each(['files.disk-full', 'files.quota'])(
    'for which there is no room (%s) are not sent again',
    async (code) => {
      await using full = await service((_request, response) => reply(response, 507, refusal(code, 'Full.')))
      const fault = await thrownProblem(full.client.send(files.write, at, { content: Buffer.from('x') }))
      const said = { message: 'Full.', serviceCode: code, detail: 'no-room' }
      expect(fault).toEqual({ code: 'service-failed', retryable: false, ...said })
      await thrownProblem(full.client.send(files.limits, { params: { serverId: 's' } }))
      expect(full.listener.seen).toHaveLength(2)
    },
  )

  test('stop when the caller aborts, with the reason of the caller', async () => {
    const arrived = Promise.withResolvers<void>()
    await using deaf = await bare(() => arrived.resolve())
    const stop = new AbortController()
    const sending = clientAt(deaf.baseUrl).send(files.write, at, {
      content: Buffer.alloc(48 << 20),
      signal: stop.signal,
    })
    await arrived.promise
    stop.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
  })
})

describe('bytes that are opened', () => {
  const whole = Buffer.from('0123456789')

  test('come with what the headers tell of them', async () => {
    await using from = await service((_request, response) => {
      const headers = {
        etag: '"7"',
        'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
        'content-length': '10',
        'repr-digest': 'sha=:AAAA:, sha-256=:BBBB:, md5=:CCCC:',
      }
      response.writeHead(200, headers).end(whole)
    })
    const { stream, ...opened } = await from.client.open(files.read, at)
    expect(opened).toEqual({
      status: 200,
      etag: '"7"',
      offset: 0,
      size: 10,
      modifiedAt: '2026-11-20T12:00:00.000Z',
      digest: { algorithm: 'sha256', value: 'BBBB' },
    })
    expect(await buffer(stream)).toEqual(whole)
    expect(from.listener.seen[0]?.headers['accept-encoding']).toBe('identity')
  })

  test('are a part where a part was asked for', async () => {
    await using from = await service((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 3-5/10' }).end(whole.subarray(3, 6))
    })
    const { stream, ...opened } = await from.client.open(files.read, at, { range: 'bytes=3-5' })
    expect(opened).toMatchObject({ status: 206, offset: 3, size: 10, etag: null })
    expect((await buffer(stream)).toString()).toBe('345')
    expect(from.listener.seen[0]?.headers.range).toBe('bytes=3-5')
  })

  test('are none behind the end of the file', async () => {
    await using from = await service((_request, response) =>
      reply(response, 416, refusal('files.range'), { 'content-range': 'bytes */10' }),
    )
    const { stream, status, size } = await from.client.open(files.read, at, { range: 'bytes=10-' })
    expect([status, size, (await buffer(stream)).length]).toEqual([416, 10, 0])
    // Who asked for no part cannot be told so.
    expect((await thrownProblem(from.client.open(files.read, at))).code).toBe('incompatible')
  })

  test('are no web page, unless the file is one', async () => {
    await using from = await service((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    })
    expect((await thrownProblem(from.client.open(files.read, at))).code).toBe('incompatible')
    const page = { params: { serverId: 's' }, query: { path: 'plugins/index.html' } }
    expect((await buffer((await from.client.open(files.read, page)).stream)).toString()).toBe(
      '<!doctype html>',
    )
  })

  test('that break off are an error of the stream', async () => {
    await using from = await service((_request, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('01234', () => response.destroy())
    })
    const { stream } = await from.client.open(files.read, at)
    await expect(buffer(stream)).rejects.toThrow()
  })
})
