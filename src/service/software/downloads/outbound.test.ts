import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { askParent } from '../../cli/parent.ts'
import { proxyFaultOf } from '../../../host/network/proxy-fault.ts'
import { CatalogFault, refusalOf } from '../../../extensions/requests/faults.ts'
import { reasonOfNetwork } from '../../../extensions/requests/download-refusals.ts'
import { outbound, type ResolveProxy } from './downloads.ts'

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
    for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
})

/** A real proxy that answers itself in place of the host, where it is shown what it wants to see. */
async function proxy(wants?: string) {
  const seen: string[] = []
  const from = (request: IncomingMessage) => request.headers['proxy-authorization'] ?? 'nobody'
  const server = createServer((request, response) => {
    seen.push(`${request.url} from ${from(request)}`)
    response.writeHead(wants && from(request) !== wants ? 407 : 200).end('by proxy')
  })
  server.on('connect', (request, socket) => {
    seen.push(`${request.url} from ${from(request)}`)
    if (wants && from(request) !== wants) return socket.end('HTTP/1.1 407 Who are you\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, at: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function ask(address: string, resolve?: ResolveProxy): Promise<string> {
  const dispatcher = outbound(resolve)
  onTestFinished(() => dispatcher.destroy())
  const { origin, pathname } = new URL(address)
  const { statusCode, body } = await dispatcher.request({ origin, path: pathname, method: 'GET' })
  return `${statusCode} ${await body.text()}`
}

it('goes by a proxy of the environment that wants a name and a password', async () => {
  const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`
  const { seen, at } = await proxy(basic)
  vi.stubEnv('HTTP_PROXY', `http://ann:s3cret@${at}`)
  expect(await ask('http://catalog.example/versions')).toBe('200 by proxy')
  expect(seen.every((one) => one.endsWith(`from ${basic}`))).toBe(true)
  expect(seen[0]).toContain('catalog.example')
})

it('goes by the proxy of the system, which can change, and past it on this computer', async () => {
  const [first, second] = [await proxy(), await proxy()]
  let ways = `PROXY ${first.at}`
  const dispatcher = outbound(async () => ways)
  onTestFinished(() => dispatcher.destroy())
  const get = async (origin: string) =>
    await (await dispatcher.request({ origin, path: '/', method: 'GET' })).body.text()
  expect(await get('http://one.example')).toBe('by proxy')
  ways = `PROXY ${second.at}`
  expect(await get('http://two.example')).toBe('by proxy')
  expect([first.seen.length > 0, second.seen.length > 0]).toEqual([true, true])
  const before = second.seen.length
  const here = await proxy()
  expect(await get(`http://${here.at}`)).toBe('by proxy')
  expect(second.seen).toHaveLength(before)
})

it('asks the parent, and does not wait for ever where too much is asked', async () => {
  const sent: { id: number; address: string }[] = []
  let hear = (_message: unknown): void => {}
  const resolve = askParent({
    send: (message) => void (message.type === 'resolve-proxy' && sent.push(message)),
    onMessage: (listener) => void (hear = listener),
  })
  const all = Array.from({ length: 101 }, (_, at) => resolve(`https://host-${at}.example/`))
  expect(await all[0]).toBe('DIRECT')
  hear({ type: 'proxy', id: 'x', ways: 'PROXY evil:1' })
  hear({ type: 'proxy', id: sent.at(-1)!.id, ways: 'PROXY a:1' })
  expect(await all[100]).toBe('PROXY a:1')
})

it('a proxy that wants a name and a password is told as such, with a tunnel and without', async () => {
  const { at } = await proxy('Basic nobody')
  for (const address of ['http://catalog.example/', 'https://catalog.example/']) {
    const error: unknown = await ask(address, async () => `PROXY ${at}`).catch((error: unknown) => error)
    expect(proxyFaultOf(error), address).toBe('PROXY_NAME')
    expect(reasonOfNetwork(error)).toEqual({ part: 'proxy-name' })
    const fault = new CatalogFault('unreachable', 'It could not be reached.', { cause: error })
    expect(refusalOf(fault, 'Paper')).toMatchObject({
      status: 503,
      code: 'software.catalogue-proxy-name',
      message: expect.stringContaining('Set HTTPS_PROXY to its address with both') as string,
    })
  }
})
