import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

let server: Server
let gate: Gate
let port: number

beforeEach(async () => {
  server = createServer((incoming, response) => {
    const admission = gate.admit(incoming)
    if (typeof admission === 'object') return response.writeHead(403).end(admission.refused)
    if (admission === 'exchange') return response.writeHead(200, { 'Set-Cookie': gate.cookie }).end('key')
    if (admission === 'again') return response.writeHead(303).end()
    response.writeHead(200).end('welcome')
  })
  server.on('upgrade', (incoming, socket) =>
    socket.end(
      `HTTP/1.1 ${gate.admitSocket(incoming) ? 200 : 403} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  gate = new Gate(port)
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

interface Answer {
  status: number
  headers: IncomingHttpHeaders
}
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    sent.on('error', reject).end()
  })
}
const withKey = () => ({ authorization: `Bearer ${gate.key}` })
const path = () => new URL(gate.address).pathname + new URL(gate.address).search
async function signIn(): Promise<string> {
  const { headers } = await ask(path())
  return headers['set-cookie']![0]!.split(';')[0]!
}

describe('the gate', () => {
  it('lets nobody in without the code', async () => {
    expect((await ask('/')).status).toBe(403)
    expect((await ask('/?code=wrong')).status).toBe(403)
    expect((await ask('/assets/x.js')).status).toBe(403)
  })

  it('answers an address that cannot be read, as any page can ask for it', async () => {
    expect((await ask('//')).status).toBe(403)
    expect((await ask('http://[', {})).status).toBe(403)
    expect((await ask('/')).status).toBe(403)
  })

  it('exchanges the code once, for a cookie scripts and other sites cannot use', async () => {
    const first = await ask(path())
    expect(first.status).toBe(200)
    expect(first.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^wheelhouse-${port}=.{40,}; HttpOnly; SameSite=Strict; Path=/$`),
    )
    expect((await ask(path())).status).toBe(403)
  })

  it('leads a browser that follows the used address again to the page, which has no key in it', async () => {
    const address = path()
    const cookie = await signIn()
    const again = await ask(address, { cookie })
    expect([again.status, again.headers['set-cookie']]).toEqual([303, undefined])
  })

  it('keeps the code for the browser that shows the page: neither HEAD nor a fetch in advance uses it up', async () => {
    expect((await ask(path(), {}, 'HEAD')).status).toBe(403)
    expect((await ask(path(), { 'sec-purpose': 'prefetch;prerender' })).status).toBe(403)
    // A file on this computer leads here as another site.
    expect((await ask(path(), { 'sec-fetch-site': 'cross-site' })).status).toBe(200)
  })

  it('answers the page and its files to the cookie', async () => {
    const cookie = await signIn()
    expect((await ask('/', { cookie, 'sec-fetch-site': 'none' })).status).toBe(200)
    expect((await ask('/assets/x.js', { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each([
    ['another Host, as after DNS rebinding', '/', { host: 'evil.example' }, 'GET'],
    ['localhost instead of the address', '/', { host: 'localhost' }, 'GET'],
    ['another Origin', '/', { origin: 'https://evil.example' }, 'GET'],
    ['a file asked for by another site', '/assets/x.js', { 'sec-fetch-site': 'cross-site' }, 'GET'],
    ['a file asked for from another port', '/assets/x.js', { 'sec-fetch-site': 'same-site' }, 'GET'],
    ['a file opened by itself', '/assets/x.js', { 'sec-fetch-site': 'none' }, 'GET'],
    ['a write', '/', {}, 'POST'],
  ])('refuses %s, also with the cookie', async (_, at, headers, method) => {
    const cookie = await signIn()
    expect((await ask(at, { cookie, ...headers }, method)).status).toBe(403)
  })

  it('takes files from its own page alone, and writes nowhere else', async () => {
    const cookie = await signIn()
    const own = { cookie, origin: gate.origin, ...withKey() }
    expect((await ask('/uploads', { ...own, 'sec-fetch-site': 'same-origin' }, 'POST')).status).toBe(200)
    expect((await ask('/uploads/t/1,2', own, 'PUT')).status).toBe(200)
    for (const [at, headers, method] of [
      ['/uploads', { ...own, origin: 'https://evil.example' }, 'POST'],
      ['/uploads', { cookie, ...withKey() }, 'POST'],
      ['/uploads', { origin: gate.origin, ...withKey() }, 'POST'],
      // The cookie reaches every port of this computer; the key reaches none.
      ['/uploads', { cookie, origin: gate.origin }, 'POST'],
      ['/uploads', { ...own, authorization: 'Bearer ' }, 'POST'],
      ['/uploads', { ...own, authorization: `Bearer ${cookie.split('=')[1]}` }, 'POST'],
      ['/uploads/t/1', { cookie, origin: gate.origin }, 'PUT'],
      ['/uploads/t/1', { cookie, origin: gate.origin }, 'DELETE'],
      ['/uploads/t/1', { ...own, 'sec-fetch-site': 'cross-site' }, 'PUT'],
      ['/uploads/t/1', { ...own, host: 'evil.example' }, 'PUT'],
      ['/uploads/t/1', own, 'PATCH'],
      ['/uploads/t/1', own, 'POST'],
      ['/socket', own, 'POST'],
    ] as const)
      expect((await ask(at, headers, method)).status).toBe(403)
  })

  it('opens the socket only for its own page, and only with its key', async () => {
    const cookie = await signIn()
    const own = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      cookie,
      origin: gate.origin,
      'sec-websocket-protocol': `wheelhouse, ${gate.key}`,
    }
    const without = (name: keyof typeof own) =>
      Object.fromEntries(Object.entries(own).filter(([one]) => one !== name))
    expect((await ask('/socket?page=p', own)).status).toBe(200)
    for (const [at, headers] of [
      ['/socket', without('origin')],
      ['/socket', without('cookie')],
      ['/socket', without('sec-websocket-protocol')],
      ['/socket', { ...own, origin: 'https://evil.example' }],
      ['/socket', { ...own, 'sec-websocket-protocol': 'wheelhouse' }],
      ['/socket', { ...own, 'sec-websocket-protocol': 'wheelhouse, ' }],
      ['/socket', { ...own, 'sec-websocket-protocol': `wheelhouse, ${cookie.split('=')[1]}` }],
      ['/socket', { ...own, 'sec-websocket-protocol': `wheelhouse, ${gate.key}, more` }],
      [`/socket?key=${gate.key}`, without('sec-websocket-protocol')],
      ['/', own],
      ['//', own],
    ] as const)
      expect((await ask(at, headers)).status, JSON.stringify([at, headers])).toBe(403)
  })
})
