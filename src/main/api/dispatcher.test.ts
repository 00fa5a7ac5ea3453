import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { ApiClient } from './client.ts'
import { makeDispatcher } from './dispatcher.ts'
import { PanelProblem } from './problem.ts'
import { listen, reply } from './test-listener.ts'

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
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) process.env[name] = `http://127.0.0.1:${own}`
  return {
    asked,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections()
      await new Promise<void>((resolve) => void proxy.close(() => resolve()))
    },
  }
}

async function ask(baseUrl: string, ca?: string): Promise<string> {
  const dispatcher = makeDispatcher({ envProxy: true, ...(ca === undefined ? {} : { ca }) })
  const client = new ApiClient({ baseUrl, dispatcher, timeoutMs: 5000 })
  try {
    await client.send(account.forgot, { body: { email: 'ann@example.com' } })
    return 'answered'
  } catch (fault) {
    if (fault instanceof PanelProblem) return fault.problem.code
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

test('a proxy that refuses is offline', async () => {
  await using _proxy = await proxyTo(1, 407)
  expect(await ask('https://far.example/api/v1')).toBe('offline')
})
