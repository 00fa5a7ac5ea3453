import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { outgoingNetwork } from '../host/network/outgoing.ts'
import { openAdapter } from './pterodactyl/adapter.ts'
import { PanelApi } from './pterodactyl/panel-api.ts'
import {
  endless,
  hostileHost,
  HTTP_KINDS,
  type HttpKind,
  json,
  KEY,
  memoryOf,
  SERVER_ID,
} from './hostile-host.fixture.ts'

interface Case {
  name: string
  answer: (response: ServerResponse, request: IncomingMessage) => void
  status: number
  sentence: Record<HttpKind, string | null>
}

const both = (name: string) => ({ pterodactyl: `host.${name}`, exaroton: `exaroton.${name}` })
const LARGE = 'x'.repeat(1024 * 1024)

const CASES: readonly Case[] = [
  {
    name: 'a text without end',
    answer: (response) => endless(response, 'application/json', '{"success":true,"data":"', LARGE),
    ...{ status: 413, sentence: { pterodactyl: 'host.too-long', exaroton: 'host.too-long' } },
  },
  {
    name: 'ten million lists',
    answer: (response) => json(response, `{"data":[${'[],'.repeat(10_000_000)}[]]}`),
    ...{ status: 502, sentence: both('unreadable') },
  },
  {
    name: 'lists within each other',
    answer: (response) => json(response, `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}`),
    ...{ status: 502, sentence: both('unreadable') },
  },
  {
    name: 'no JSON, though it says so',
    answer: (response) => json(response, '{"data":['),
    ...{ status: 502, sentence: both('unreadable') },
  },
  {
    name: 'other types',
    answer: (response) => json(response, '{"success":"yes","data":{"attributes":[7]},"meta":7}'),
    ...{ status: 502, sentence: both('unreadable') },
  },
  {
    name: 'nothing',
    answer: (response) => json(response, ''),
    ...{ status: 502, sentence: both('unreadable') },
  },
  {
    name: 'a page with 200',
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ...{ status: 503, sentence: both('page') },
  },
  {
    name: 'a page without end',
    answer: (response) => endless(response, 'text/html', '<html>', LARGE),
    ...{ status: 503, sentence: { pterodactyl: 'host.page', exaroton: 'host.too-long' } },
  },
  {
    name: 'a refusal without end',
    answer: (response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.write('{"success":false,"error":"')
      const more = () => {
        while (!response.destroyed && response.write(LARGE));
        response.once('drain', more)
      }
      more()
    },
    ...{ status: 413, sentence: { pterodactyl: 'host.too-long', exaroton: 'host.too-long' } },
  },
  {
    name: 'a refusal without a text',
    answer: (response) => json(response, '{"errors":[],"success":false}', 409),
    ...{ status: 409, sentence: { pterodactyl: 'host.busy', exaroton: 'exaroton.said' } },
  },
  {
    name: 'a refusal of many lines, and of what no line has',
    answer: (response) => {
      const text = `no\n\u0000\u001b[31m${'never '.repeat(5000)}`
      json(response, JSON.stringify({ errors: [{ detail: text }], success: false, error: text }), 418)
    },
    ...{ status: 400, sentence: { pterodactyl: 'host.said', exaroton: 'exaroton.said' } },
  },
  {
    name: 'too many requests, for a year',
    answer: (response) => json(response, '{"errors":[]}', 429, { 'retry-after': '31536000' }),
    ...{ status: 429, sentence: { pterodactyl: null, exaroton: null } },
  },
  {
    name: 'too many requests',
    answer: (response) => json(response, '{"errors":[]}', 429),
    ...{ status: 429, sentence: { pterodactyl: null, exaroton: null } },
  },
  {
    name: 'a way to no web page',
    answer: (response) => response.writeHead(302, { location: 'javascript:alert(1)' }).end(),
    ...{ status: 503, sentence: { pterodactyl: 'host.page', exaroton: 'exaroton.said' } },
  },
]

test.each(HTTP_KINDS.flatMap((kind) => CASES.map((one) => ({ kind, ...one }))))(
  '$kind: $name is a refusal',
  async ({ kind, answer, status, sentence }) => {
    const host = await hostileHost(kind, answer)
    const used = await memoryOf(async () => {
      const reply = await host.ask('account.me')
      expect(reply.sentence).toBe(sentence[kind])
      // exaroton's own texts come with one status for many reasons.
      if (kind === 'pterodactyl') expect(reply.status).toBe(status)
      expect(reply.status).toBeGreaterThanOrEqual(400)
      if (sentence[kind] === null) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.message).not.toMatch(/“”|\p{Cc}/u)
      expect(reply.message.length).toBeLessThan(600)
    })
    expect(used, 'MB').toBeLessThan(400)
    expect(host.asked).toHaveLength(1)
  },
)

test.each(HTTP_KINDS)('%s: no other origin is asked, whatever an answer names', async (kind) => {
  const other = await hostileHost(kind, (response) => json(response, '{}'))
  const host = await hostileHost(kind, (response) =>
    response.writeHead(307, { location: `${other.baseUrl}/account` }).end(),
  )
  expect((await host.ask('account.me')).status).toBeGreaterThanOrEqual(400)
  expect((await host.ask('servers.list')).status).toBeGreaterThanOrEqual(400)
  expect(other.asked).toEqual([])
})

test.each(HTTP_KINDS)('%s: an answer that comes byte by byte is given up', async (kind) => {
  const host = await hostileHost(kind, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reply = host.ask('account.me')
  await expect.poll(() => host.asked.length).toBe(1)
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(await reply).toMatchObject({ status: 504, sentence: 'host.endless' })
})

const attributes = (more: object) => ({ uuid: SERVER_ID, name: 'Good', server_owner: true, ...more })

test('items that are none leave the others in a list, and a list has an end', async () => {
  const bad = [null, 7, {}, { attributes: null }, { attributes: { uuid: '../..', name: 'x' } }]
  const list = (items: unknown[], pages: number) =>
    JSON.stringify({ data: items, meta: { pagination: { total_pages: pages } } })
  const good = { attributes: attributes({ status: 'installing', limits: 'none', relationships: [] }) }
  const host = await hostileHost('pterodactyl', (response) => json(response, list([...bad, good], 1)))
  const { value } = await host.ask('servers.list')
  expect(value).toMatchObject({ items: [{ id: SERVER_ID, name: 'Good', status: 'installing' }] })

  const many = Array.from({ length: 500 }, (_, at) => ({
    attributes: attributes({ uuid: `server-${at}`, server_owner: false }),
  }))
  let page = 0
  host.asked.length = 0
  host.answers((response, { url }) =>
    /\/servers\//.test(url!)
      ? json(response, '{}', 404)
      : json(response, list(many, 1e9).replaceAll('server-', `server-${page++}-`)),
  )
  const reply = (await host.ask('servers.list')).value as { items: unknown[] }
  expect(reply.items).toHaveLength(2000)
  expect(host.asked.length).toBeLessThan(200)
})

test('a state, a name and a text that have no end are left out or cut', async () => {
  const host = await hostileHost('pterodactyl', (response, { url }) =>
    url!.endsWith('/resources')
      ? json(response, JSON.stringify({ attributes: { current_state: 'odd\n'.repeat(1000) } }))
      : json(response, JSON.stringify({ attributes: attributes({ node: 'n'.repeat(1e6) }) })),
  )
  const { value } = await host.ask('servers.read')
  const { status } = value as { status: string }
  expect(status.length).toBeLessThanOrEqual(60)
  expect(status).toMatch(/^odd odd/)
})

test('an address that the panel gives has to be encrypted, and one of the web', () => {
  const api = new PanelApi('https://panel.example.com/api/client', {
    request: () => Promise.reject(new Error('not asked')),
    dial: () => Promise.reject(new Error('not dialed')),
  })
  const refused = /not encrypted/
  for (const address of [
    ...['http://node.example.com/x', 'file:///etc/passwd', 'wss://node.example.com/x', 'data:,x', '', '/x'],
  ])
    expect(() => api.address(address, 'https:'), address).toThrow(refused)
  expect(() => api.address('ws://node.example.com/x', 'wss:')).toThrow(refused)
  // Machines of a host have addresses of their own.
  expect(api.address('https://node.example.com:8080/x', 'https:').port).toBe('8080')
})

test.each([
  ['pterodactyl', 'text/html'],
  ['exaroton', 'text/html; charset=UTF-8'],
] as const)('%s: a page in place of a file is no file', async (kind, type) => {
  const host = await hostileHost(kind, (response) =>
    response.writeHead(200, { 'content-type': type }).end('<html>Just a moment…'),
  )
  const read = await host.open('files.read', { query: '?path=server.properties' })
  read.body.destroy()
  expect(read.statusCode).toBe(503)
  expect((await host.ask('servers.power', { body: '{"action":"start"}' })).status).toBe(503)
})

test('what machines say of uploads is read within limits', async () => {
  const host = await hostileHost('pterodactyl', () => undefined)
  const said = `maximum file upload size of ${'9'.repeat(400)} MB`
  host.answers((response, { url, method }) => {
    if (url!.includes('/files/list')) return json(response, '{"data":[]}')
    if (url!.includes('/files/upload'))
      return json(response, JSON.stringify({ attributes: { url: `${host.address}/upload?token=1` } }))
    json(response, JSON.stringify({ error: said }), method === 'POST' ? 400 : 500)
  })
  const form = '--b\r\ncontent-disposition: form-data; name="path"\r\n\r\na.txt\r\n--b\r\n'
  const file = 'content-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
  const network = outgoingNetwork({ timeout: 5000, envProxy: false })
  const { operations } = openAdapter(host.baseUrl, {
    dispatcher: Object.assign(network.dispatcher, { dial: network.dial }),
    memory: { newest: () => Promise.resolve(null) },
    secrets: null,
    choices: () => ({}),
    powerLines: () => Promise.resolve(null),
    extensions: null,
  })
  const upload = operations['files.upload']!({
    params: { serverId: SERVER_ID },
    ...{ query: {}, body: undefined, key: KEY, set: () => undefined, signal: new AbortController().signal },
    bytes: Readable.from([Buffer.from(form + file)]),
    header: (name: string) => (name === 'content-type' ? 'multipart/form-data; boundary=b' : null),
  } as never)
  await expect(upload).rejects.toMatchObject({ told: { sentence: 'host.node-away' } })
  const sent = host.asked.find(({ path }) => path.startsWith('/upload'))
  expect(sent?.headers.authorization).toBeUndefined()
})
