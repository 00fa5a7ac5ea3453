import type { ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { consoleOperations } from '../../contract/areas/console.ts'
import { ApiClient, type ApiClientOptions } from './client.ts'
import type { StreamEvent } from './events.ts'
import { PanelProblem } from '../base/problem.ts'
import { listen, refusal, reply } from './test-listener.ts'
import { makeDispatcher } from './requests/transport.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const input = { query: { servers: 's' } }

async function stream(
  answering: (response: ServerResponse) => void,
  options: Partial<ApiClientOptions> = {},
) {
  const listener = await listen((_request, response) => answering(response))
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    token: async () => 'good',
    ...options,
  })
  client.trust()
  return { listener, client, [Symbol.asyncDispose]: () => listener.stop() }
}

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'went on',
    (fault: unknown) => (fault instanceof PanelProblem ? fault.problem.code : String(fault)),
  )
}

test('gives events with their names, passes over heartbeats, and ends when the service ends', async () => {
  await using at = await stream((response) => {
    begin(response).write(': heartbeat\n\n')
    response.write('event: lines\ndata: {"a":1}\n\ndata: plain\n\n')
    response.end('event: status\ndata: one\ndata: two\n\n')
  })
  const events: StreamEvent[] = []
  for await (const event of at.client.events(consoleOperations.events, input)) events.push(event)
  expect(events).toEqual([
    { event: 'lines', data: '{"a":1}' },
    { event: 'message', data: 'plain' },
    { event: 'status', data: 'one\ntwo' },
  ])
  expect(at.listener.seen[0]?.headers.accept).toBe('text/event-stream')
  expect(at.listener.seen[0]?.headers['accept-encoding']).toBe('identity')
})

test('begins with an event behind the mark of its byte order', async () => {
  await using at = await stream((response) => {
    begin(response).write(Buffer.from([0xef, 0xbb]))
    setImmediate(() => response.end(Buffer.from([0xbf, ...Buffer.from('event: lines\ndata: {}\n\n')])))
  })
  const events: StreamEvent[] = []
  for await (const event of at.client.events(consoleOperations.events, input)) events.push(event)
  expect(events).toEqual([{ event: 'lines', data: '{}' }])
})

test('loses nothing of 200,000 lines in batches, with characters cut between pieces', async () => {
  const batches = 40
  const perBatch = 5000
  await using at = await stream((response) => {
    begin(response)
    const bytes: Buffer[] = []
    for (let batch = 0; batch < batches; batch++) {
      const lines = Array.from({ length: perBatch }, (_, i) => `§a[${batch}-${i}] Грüße 🎉`)
      bytes.push(Buffer.from(`event: lines\ndata: ${JSON.stringify(lines)}\n\n`))
    }
    const all = Buffer.concat(bytes)
    // An odd size cuts characters of two and four bytes in the middle.
    for (let at = 0; at < all.length; at += 65_537) response.write(all.subarray(at, at + 65_537))
    response.end()
  })
  let next = 0
  for await (const { data } of at.client.events(consoleOperations.events, input)) {
    for (const line of JSON.parse(data) as string[]) {
      if (line !== `§a[${Math.floor(next / perBatch)}-${next % perBatch}] Грüße 🎉`)
        throw new Error(`line ${next}: ${line}`)
      next++
    }
  }
  expect(next).toBe(batches * perBatch)
})

test('a stream that breaks is offline, and the service is asked whether it is away itself', async () => {
  const reached: string[] = []
  const told = Promise.withResolvers<void>()
  const at = await stream((response) => begin(response).write('data: one\n\ndata: tw'), {
    onReach: ({ kind }) => {
      reached.push(kind)
      if (reached.length === 2) told.resolve()
    },
  })
  const events = at.client.events(consoleOperations.events, input)
  expect((await events.next()).value).toEqual({ event: 'message', data: 'one' })
  const broken = codeOf(events.next())
  await at.listener.stop()
  expect(await broken).toBe('offline')
  await told.promise
  expect(reached).toEqual(['reached', 'failed'])
})

test('a stream that breaks on a service that still answers leaves the connection as it is', async () => {
  const verdict = Promise.withResolvers<string>()
  const reached: string[] = []
  await using listener = await listen(({ path }, response) => {
    if (path === '/users/me') return reply(response, 200, { id: 'u1' })
    begin(response).write('data: tw', () => response.destroy())
  })
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    token: async () => 'good',
    onReach: ({ kind }) => reached.push(kind),
    onVerdict: ({ kind }) => verdict.resolve(kind),
  })
  client.trust()
  expect(await codeOf(client.events(consoleOperations.events, input).next())).toBe('offline')
  expect(await verdict.promise).toBe('valid')
  expect(reached).toEqual(['reached', 'reached'])
})

test('silence beyond the limit is offline', async () => {
  await using at = await stream((response) => begin(response).write('data: one\n\n'), { silenceMs: 1000 })
  const events = at.client.events(consoleOperations.events, input)
  await events.next()
  expect(await codeOf(events.next())).toBe('offline')
})

test('heartbeats hold a stream open beyond the limit of a call', async () => {
  await using at = await stream(
    (response) => {
      begin(response)
      let beats = 0
      const beat = setInterval(() => {
        response.write(beats++ < 25 ? ': heartbeat\n\n' : 'data: late\n\n')
      }, 100)
      response.on('close', () => clearInterval(beat))
    },
    { timeoutMs: 1000, silenceMs: 15_000 },
  )
  const events = at.client.events(consoleOperations.events, input)
  expect((await events.next()).value).toEqual({ event: 'message', data: 'late' })
  await events.return()
})

test('a reader that leaves closes the connection', async () => {
  const left = Promise.withResolvers<void>()
  await using at = await stream((response) => {
    begin(response).write('data: one\n\n')
    response.on('close', () => left.resolve())
  })
  for await (const event of at.client.events(consoleOperations.events, input)) {
    expect(event.data).toBe('one')
    break
  }
  await left.promise
})

test('an abort ends the stream with the reason of the caller', async () => {
  await using at = await stream((response) => begin(response).write('data: one\n\n'))
  const control = new AbortController()
  const events = at.client.events(consoleOperations.events, input, { signal: control.signal })
  await events.next()
  const reason = new Error('unwatched')
  const waiting = events.next()
  control.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

test('closing the client ends the stream as signed out', async () => {
  await using at = await stream((response) => begin(response).write('data: one\n\n'))
  const events = at.client.events(consoleOperations.events, input)
  await events.next()
  const waiting = codeOf(events.next())
  at.client.close()
  expect(await waiting).toBe('signed-out')
})

test('what is no stream is incompatible, and a refusal is classified', async () => {
  await using page = await stream((response) => reply(response, 200, { items: [] }))
  expect(await codeOf(page.client.events(consoleOperations.events, input).next())).toBe('incompatible')
  await using none = await stream((response) => reply(response, 501, refusal('no')))
  expect(await codeOf(none.client.events(consoleOperations.events, input).next())).toBe('unavailable')
})
