import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { outgoingNetwork } from '../host/network/outgoing.ts'
import { linesIn } from './base/body.ts'
import { openSocket } from './base/socket.ts'
import { LineLog } from './console/line-log.ts'
import { endless, hostileHost, type HttpKind, json, memoryOf, SERVER_ID } from './hostile-host.fixture.ts'

/** A host whose server prints by `print`, once its console is followed. */
async function withConsole(kind: HttpKind, log: string | null = null) {
  const host = await hostileHost(kind, (response, { url = '' }) => {
    if (url.includes('latest.log'))
      return log === null
        ? json(response, '{"success":false}', 404)
        : endless(response, 'text/plain', '', log)
    if (url.endsWith('/websocket')) {
      const socket = `${host.address.replace('http', 'ws')}/ws`
      return json(response, JSON.stringify({ data: { token: 'token', socket } }))
    }
    json(response, '{"success":false}', 404)
  })
  const frame = (text: string) =>
    JSON.stringify(
      kind === 'pterodactyl'
        ? { event: 'console output', args: [text] }
        : { stream: 'console', type: 'line', data: text },
    )
  const ready = Promise.withResolvers<void>()
  host.onSocket((socket) => {
    // Whatever comes before anybody is signed in.
    for (let at = 0; at < 5000; at++) socket.send(frame(`too early ${at}`))
    socket.on('message', (data: Buffer) => {
      const { event, type, stream } = JSON.parse(data.toString()) as Partial<Record<string, string>>
      if (event === 'auth') socket.send('{"event":"auth success"}')
      if (stream === 'console' && type === 'start') socket.send('{"stream":"console","type":"started"}')
      if (event === 'auth' || stream === 'console') ready.resolve()
    })
    if (kind !== 'exaroton') return
    socket.send('{"type":"ready"}')
    const data = { id: SERVER_ID, name: 'x', status: 1 }
    socket.send(JSON.stringify({ stream: 'status', type: 'status', data }))
  })
  const ending = new AbortController()
  onTestFinished(() => ending.abort(new Error('ended')))
  const { body } = await host.open('console.events', { query: `?servers=${SERVER_ID}` }, ending.signal)
  body.on('error', () => undefined)
  await ready.promise
  // What is held by then is history.
  const history = (await host.ask('console.history')).value as { items: { text: string }[] }
  const raw = (text: string) => host.sockets.clients.forEach((socket) => socket.send(text))
  return { ...host, history: history.items, body, raw, print: (text: string) => raw(frame(text)) }
}

/** The texts of lines that come, until one contains `last`; no event may be longer than main reads. */
async function textsTo(body: Readable, last: string): Promise<string[]> {
  const texts: string[] = []
  let unread = ''
  for await (const piece of body as AsyncIterable<Buffer>) {
    unread += piece.toString()
    const events = unread.split('\n\n')
    unread = events.pop()!
    for (const event of events) {
      expect(event.length).toBeLessThan(4 * 1024 * 1024)
      const data = /^event: lines\ndata: (.*)$/.exec(event)?.[1]
      if (data === undefined) continue
      for (const { text } of (JSON.parse(data) as { lines: { text: string }[] }).lines) texts.push(text)
      if (texts.at(-1)?.includes(last)) return texts
    }
  }
  return texts
}

test.each(['pterodactyl', 'exaroton'] as const)(
  '%s: a console is shown, whatever its socket and its log send',
  async (kind) => {
    const used = await memoryOf(async () => {
      const { body, print, raw, history } = await withConsole(kind)
      for (const text of [
        '',
        '{',
        'null',
        '7',
        '{"event":"status","args":[{}]}',
        '{"event":"stats","args":["["]}',
      ])
        raw(text)
      raw(`{"event":"status","args":[${JSON.stringify('x'.repeat(500_000))}]}`)
      for (let at = 0; at < 2; at++) print('\n'.repeat(400_000))
      print(`${'\r'.repeat(400_000)}x`)
      const long = 'x'.repeat(900_000)
      for (let at = 0; at < 20; at++) print(`${at} ${long}`)
      print('the last one')
      const texts = await textsTo(body, 'the last one')
      expect(texts.every((text) => text.length <= 20_001 && !text.includes('\n'))).toBe(true)
      if (kind === 'pterodactyl') expect(history).toEqual([])
    })
    expect(used, 'MB').toBeLessThan(500)
  },
)

test('a flood that nobody reads is held by the log alone, and its end is read', async () => {
  const { ask, body, print } = await withConsole('pterodactyl')
  const newest = async () => {
    const { items } = (await ask('console.history')).value as { items: { text: string }[] }
    return items.at(-1)?.text.split(' .')[0]
  }
  const used = await memoryOf(async () => {
    for (let at = 0; at < 40; at++) {
      for (let line = 0; line < 1000; line++) print(`line ${at * 1000 + line} ${'.'.repeat(1000)}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(newest, { timeout: 20_000 }).toBe('line 39999')
    const texts = await textsTo(body, 'line 39999 ')
    expect(texts.length).toBeLessThan(36_000)
  })
  expect(used, 'MB').toBeLessThan(500)
})

test('a log of lines without number or end is read as far as it may be', async () => {
  const used = await memoryOf(async () => {
    const { body, print } = await withConsole('pterodactyl', '\n'.repeat(1024 * 1024))
    print('still heard')
    expect(await textsTo(body, 'still heard')).toContain('still heard')
  })
  expect(used, 'MB').toBeLessThan(500)
})

test('lines of a console are few enough to hold, in events and pages that are short enough to read', () => {
  const log = new LineLog(null)
  const begin = log.lastId
  log.add(Array.from({ length: 1_000_000 }, () => ''))
  const first = [...log.after(begin)]
  expect(first[0]).toMatchObject({ kind: 'gap' })
  const count = first.reduce((sum, news) => sum + (news.kind === 'lines' ? news.lines.length : 0), 0)
  expect(count).toBe(100_000)
  const from = log.lastId
  log.add(Array.from({ length: 2000 }, () => '\u0001'.repeat(20_000)))
  let at = from
  for (const news of log.after(from)) {
    if (news.kind === 'gap') continue
    expect(JSON.stringify(news).length).toBeLessThan(4 * 1024 * 1024)
    at = news.lines.at(-1)!.id
  }
  expect(at).toBe(log.lastId)
  const page = log.page({ limit: 5000 })
  expect(page.at(-1)?.id).toBe(log.lastId)
  expect(JSON.stringify(page).length).toBeLessThan(32 * 1024 * 1024)
})

test('a million returns before a letter are read; a try for each of them would outlast the test', () => {
  expect(linesIn(`${'\r'.repeat(1_000_000)}x\na\r\r\n`)).toEqual([`${'\r'.repeat(1_000_000)}x`, 'a', ''])
})

test('a host that asks whether one is there and reads no answer gets few', async () => {
  const server = new WebSocketServer({ port: 0 })
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.pause()
    for (let at = 0; at < 20_000; at++) socket.ping('x'.repeat(125))
    socket.send('asked')
  })
  const { dial } = outgoingNetwork({ timeout: 5000, envProxy: false })
  const socket = openSocket(`ws://127.0.0.1:${port}`, dial, {})
  await once(socket, 'message')
  expect(socket.bufferedAmount).toBeLessThan(128 * 1024)
  socket.terminate()
})
