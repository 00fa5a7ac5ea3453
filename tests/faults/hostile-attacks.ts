import { randomBytes } from 'node:crypto'
import type { PageSession } from '../../src/web/let-in.fixture.ts'
import { type Attack, request } from './stranger.ts'

/** An attack, with what it is for people and the answers that let nobody in; 0 is none at all. */
export type Tried = Attack & { what: string; allowed: readonly number[] }

const REFUSED = [0, 100, 400, 401, 403, 404, 405, 408, 413, 415, 417, 422, 429, 431, 501]
const ENDINGS = ['reset', 'reset-late', 'half-close', 'hold'] as const
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': 13,
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
/** Addresses that are none, or lead elsewhere, or are long. */
const ADDRESSES = [
  ...['//', '///', '//evil.example/', '/\\evil.example', 'http://[', 'http://evil.example/', '*', '?', '#'],
  ...['/%', '/%00', '/..', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/../../../package.json'],
  ...[`/${'a'.repeat(15_000)}`, `/?code=${'%41'.repeat(1000)}`, '/?code=', '/socket', '/uploads/../socket'],
]

/** What a stranger sends to any of our ports. */
function anywhere(port: number): Tried[] {
  const Host = `127.0.0.1:${port}`
  const all: Tried[] = []
  const add = (
    what: string,
    sent: string | Buffer,
    then: Attack['then'],
    allowed: readonly number[] = REFUSED,
  ) => all.push({ what: `${what}, then ${then}`, sent, then, allowed })
  for (let times = 0; times < 10; times++)
    for (const then of ENDINGS)
      add('an upgrade without anything', request('GET /socket', { Host, ...UPGRADE }), then)
  for (const then of ENDINGS) {
    add('a half request line', 'GET /so', then)
    add('half a header', `GET / HTTP/1.1\r\nHost: ${Host}\r\nX-Ha`, then)
    add('no protocol of ours', randomBytes(3000), then)
    add('TLS where there is none', Buffer.from('16030100c8010000c40303', 'hex'), then)
    add('a body of another length', request('POST /', { Host, 'Content-Length': 5 }, '{}\r\n\r\nGET'), then)
    add(
      'pieces that are none',
      request('POST /', { Host, 'Transfer-Encoding': 'chunked' }, 'zz\r\n\r\n'),
      then,
    )
    add('two lengths', request('POST /', { Host, 'Content-Length': '1, 2' }, 'a'), then)
    add('headers of 100 kB', request('GET /', { Host, 'X-Long': 'a'.repeat(100_000) }), then)
    add('an expectation', request('POST /', { Host, Expect: '100-continue', 'Content-Length': 9 }), then)
    add('a tunnel', request('CONNECT evil.example:443', { Host }), then)
    add('two requests at once', request('GET /socket', { Host }).repeat(2), then)
  }
  add('nothing at all', '', 'hold')
  add('headers byte by byte', request('GET /', { Host, 'X-Slow': 'a'.repeat(1000) }), 'drip')
  add(
    'an upgrade byte by byte',
    request('GET /socket', { Host, ...UPGRADE, 'X-Slow': 'a'.repeat(1000) }),
    'drip',
  )
  for (const address of ADDRESSES) {
    add(`GET ${address.slice(0, 50)}`, request(`GET ${address}`, { Host, Connection: 'close' }), 'hold')
    add(
      `an upgrade at ${address.slice(0, 50)}`,
      request(`GET ${address}`, { Host, ...UPGRADE }),
      'reset-late',
    )
  }
  return all
}

/** What is tried at a panel. @param own what its page holds, of which each attack lacks or changes something */
export function panelAttacks({ origin, cookie, key }: PageSession): Tried[] {
  const host = new URL(origin).host
  const page = { Host: host, Origin: origin, Cookie: cookie }
  const protocol = { 'Sec-WebSocket-Protocol': `wheelhouse, ${key}` }
  const bearer = { Authorization: `Bearer ${key}` }
  const secret = cookie.split('=')[1] ?? ''
  const all = anywhere(Number(new URL(origin).port))
  const wrong: [string, Record<string, string | undefined>][] = [
    ['the cookie without the key', {}],
    [
      'the cookie as the key',
      { 'Sec-WebSocket-Protocol': `wheelhouse, ${secret}`, Authorization: `Bearer ${secret}` },
    ],
    ['the key without the cookie', { ...protocol, ...bearer, Cookie: undefined }],
    ['no Origin', { ...protocol, ...bearer, Origin: undefined }],
    ['another site', { ...protocol, ...bearer, Origin: 'https://evil.example' }],
    ['another port', { ...protocol, ...bearer, Origin: 'http://127.0.0.1:1' }],
    ['a page of nowhere', { ...protocol, ...bearer, Origin: 'null' }],
    ['another Host', { ...protocol, ...bearer, Host: 'evil.example' }],
    [
      'half of the key',
      { 'Sec-WebSocket-Protocol': `wheelhouse, ${key.slice(20)}`, Authorization: `Bearer ${key.slice(20)}` },
    ],
  ]
  for (const [what, changes] of wrong)
    for (const then of ENDINGS) {
      const headers = { ...page, ...changes }
      const upgrade = request('GET /socket', { ...headers, ...UPGRADE })
      const body = { ...headers, 'Content-Length': 2 }
      all.push({ what: `a socket with ${what}, then ${then}`, sent: upgrade, then, allowed: [0, 403] })
      for (const line of ['POST /uploads', 'PUT /uploads/t/1', 'DELETE /uploads/t/1'])
        all.push({
          what: `${line} with ${what}, then ${then}`,
          sent: request(line, body, '{}'),
          then,
          allowed: [0, 403],
        })
    }
  for (const address of ADDRESSES.filter((one) => one !== '/socket' && one !== '/uploads/../socket'))
    all.push({
      what: `the page's own upgrade at ${address.slice(0, 50)}`,
      sent: request(`GET ${address}`, { ...page, ...protocol, ...UPGRADE }),
      then: 'reset-late',
      allowed: REFUSED,
    })
  // A page that was let in and then sends what no browser does: it loses its socket, and nothing else happens.
  const frames = [
    'ffff',
    '8100',
    '817f7fffffffffffffff00000000',
    'c18000000000',
    '8085000000000000000000',
    '898000000000',
  ]
  for (const frame of frames)
    for (const then of ENDINGS.filter((one) => one !== 'hold' || frame !== '898000000000'))
      all.push({
        what: `the page's own socket with the frame ${frame}, then ${then}`,
        sent: Buffer.concat([
          Buffer.from(request('GET /socket', { ...page, ...protocol, ...UPGRADE })),
          Buffer.from(frame, 'hex'),
        ]),
        then,
        allowed: [0, 101],
      })
  return all
}

/** What is tried at a service. */
export function serviceAttacks(port: number): Tried[] {
  const all = anywhere(port)
  const tokens = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${'a'.repeat(10_000)}`,
    'Basic YTpi',
    'Bearer \u00e4',
  ]
  const lines = [
    'GET /api/v1/servers',
    'GET /api/v1/users/me',
    'POST /api/v1/servers',
    'GET /api/v1/servers/events?servers=x',
  ]
  for (const token of tokens)
    for (const line of lines)
      for (const then of ['reset', 'reset-late', 'half-close'] as const)
        all.push({
          what: `${line} with the token “${token.slice(0, 20)}”, then ${then}`,
          sent: request(line, { Host: `127.0.0.1:${port}`, Authorization: token, 'Content-Length': 0 }),
          then: then === 'half-close' ? 'reset-late' : then,
          allowed: REFUSED,
        })
  return all
}
