import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, expect, test } from 'vitest'
import type { Problem } from '../../../contract/bridge/problem.ts'
import { account } from '../../../contract/areas/account.ts'
import { ApiClient } from '../client.ts'
import { makeDispatcher } from './transport.ts'
import { PanelProblem } from '../../base/problem.ts'
import { ProxyFault } from '../../../host/network/proxy-fault.ts'
import { proxyAmong } from '../../../host/network/system-proxy.ts'
import { listen, reply } from '../test-listener.ts'

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']
const before = Object.fromEntries(names.map((name) => [name, process.env[name]]))
afterEach(() => {
  for (const name of names) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

/** A real proxy that tunnels every CONNECT to `port` of this computer, whatever host was asked for. */
async function proxyTo(port: number, status = 200) {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(502).end()
  })
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.on('error', () => {})
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const own = (proxy.address() as AddressInfo).port
  const noEnv = () => {
    for (const name of names) delete process.env[name]
    return `127.0.0.1:${own}`
  }
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) process.env[name] = `http://127.0.0.1:${own}`
  return {
    asked,
    /** Where it is, once the environment no longer says so. */
    noEnv,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections()
      await new Promise<void>((resolve) => void proxy.close(() => resolve()))
    },
  }
}

const ask = async (...how: Parameters<typeof problemOf>): Promise<string> =>
  (await problemOf(...how))?.code ?? 'answered'

async function problemOf(
  baseUrl: string,
  ca?: string,
  resolveProxy?: (address: string) => Promise<string>,
): Promise<Problem | null> {
  const dispatcher = makeDispatcher({ envProxy: true, ...(ca === undefined ? {} : { ca }), resolveProxy })
  const client = new ApiClient({ baseUrl, dispatcher, timeoutMs: 5000 })
  try {
    await client.send(account.forgot, { body: { email: 'ann@example.com' } })
    return null
  } catch (fault) {
    if (fault instanceof PanelProblem) return fault.problem
    throw fault
  } finally {
    await dispatcher.destroy()
  }
}

async function far() {
  const made = await generate([{ name: 'commonName', value: 'far.example' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'far.example' }] },
    ],
  })
  const service = await listen((_request, response) => reply(response, 204), {
    tls: { key: made.private, cert: made.cert },
  })
  return Object.assign(service, { ca: made.cert })
}

test('a proxy of the environment never sees what stays on this computer', async () => {
  await using service = await listen((_request, response) => reply(response, 204))
  await using proxy = await proxyTo(service.port)
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await ask(`http://${host}:${service.port}/api/v1`)).toBe('answered')
  }
  expect(proxy.asked).toEqual([])
  expect(service.seen).toHaveLength(2)
})

test('a service elsewhere is reached through a tunnel, and its own certificate is what counts', async () => {
  await using service = await far()
  await using proxy = await proxyTo(service.port)
  expect(await ask('https://far.example/api/v1', service.ca)).toBe('answered')
  expect(await ask('https://other.example/api/v1', service.ca)).toBe('untrusted')
  expect(proxy.asked).toEqual(['far.example:443', 'other.example:443'])
  expect(service.seen).toHaveLength(1)
})

test.each([
  [407, 'PROXY_NAME', 'wants a name and a password (far.example). Set HTTPS_PROXY'],
  [403, 'PROXY_REFUSED', 'does not let Wheelhouse connect to far.example'],
])('a proxy that answers a tunnel with %s is told as such', async (status, detail, said) => {
  await using _proxy = await proxyTo(1, status)
  const problem = await problemOf('https://far.example/api/v1')
  expect(problem).toMatchObject({ code: 'offline', detail })
  expect(problem?.message).toContain(said)
})

test('a proxy of the environment that cannot be used is told as such, and nobody goes past it', async () => {
  await using service = await far()
  await using proxy = await proxyTo(service.port)
  proxy.noEnv()
  process.env['HTTPS_PROXY'] = 'gopher://127.0.0.1:1'
  const problem = await problemOf('https://far.example/api/v1', service.ca)
  expect(problem).toMatchObject({ code: 'offline', detail: 'PROXY_KIND' })
})

test('the proxy that the system names for an address is gone through, and its own certificate is what counts', async () => {
  await using service = await far()
  await using proxy = await proxyTo(service.port)
  const where = proxy.noEnv()
  const asked: string[] = []
  const resolve = async (address: string) => {
    asked.push(address)
    return `QUIC 127.0.0.1:1; PROXY ${where}; DIRECT`
  }
  expect(await ask('https://far.example/api/v1', service.ca, resolve)).toBe('answered')
  expect(await ask('https://other.example/api/v1', service.ca, resolve)).toBe('untrusted')
  expect(asked).toEqual(['https://far.example/', 'https://other.example/'])
  expect(proxy.asked).toEqual(['far.example:443', 'other.example:443'])
  expect(service.seen).toHaveLength(1)
})

test('the system is not asked about this computer, and what it cannot say is asked for directly', async () => {
  await using service = await listen((_request, response) => reply(response, 204))
  await using proxy = await proxyTo(service.port)
  proxy.noEnv()
  const asked: string[] = []
  const failing = async (address: string) => {
    asked.push(address)
    throw new Error('The PAC script failed.')
  }
  expect(await ask(`http://127.0.0.1:${service.port}/api/v1`, undefined, failing)).toBe('answered')
  expect(asked).toEqual([])
  // A name that nobody has: it was tried without a proxy.
  expect(await ask('https://nobody.invalid/api/v1', undefined, failing)).toBe('offline')
  expect(asked).toEqual(['https://nobody.invalid/'])
  expect(proxy.asked).toEqual([])
})

test('a proxy that the environment names goes before the one of the system', async () => {
  await using service = await far()
  await using proxy = await proxyTo(service.port)
  const resolve = async () => 'PROXY 127.0.0.1:1'
  expect(await ask('https://far.example/api/v1', service.ca, resolve)).toBe('answered')
  expect(proxy.asked).toEqual(['far.example:443'])
})

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:8080', 'http://proxy.example:8080'],
  ['proxy  proxy.example:8080 ; DIRECT', 'http://proxy.example:8080'],
  ['HTTPS proxy.example:443', 'https://proxy.example'],
  ['SOCKS4 a:1; SOCKS5 b:2; DIRECT; PROXY c:3', 'socks4://a:1'],
  ['socks5 [::1]:1080', 'socks5://[::1]:1080'],
  ['QUIC a:1; SOCKS b:2', 'socks4://b:2'],
  ['QUIC a:1; DIRECT', null],
  ['PROXY [::1]:3128', 'http://[::1]:3128'],
  ['PROXY user:secret@proxy.example:1; PROXY good:2', 'http://good:2'],
  ['', null],
  [';'.repeat(5000), null],
])('of the ways %s the first proxy is taken', (ways, proxy) => {
  expect(proxyAmong(ways)).toBe(proxy)
})

test.each(['QUIC a:1', 'PROXY a:99999; PROXY b/c; PROXY', 'SOCKS5 ann:secret@a:1', 'nonsense'])(
  'of the ways %s none can be gone, and nobody goes past them',
  async (ways) => {
    expect(() => proxyAmong(ways)).toThrow(ProxyFault)
    await using service = await far()
    const problem = await problemOf('https://far.example/api/v1', service.ca, async () => ways)
    expect(problem).toMatchObject({ code: 'offline', detail: 'PROXY_KIND' })
    expect(problem?.message).toContain('of a kind that Wheelhouse cannot use')
    expect(service.seen).toEqual([])
  },
)
