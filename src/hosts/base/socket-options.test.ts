import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { generate } from 'selfsigned'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { OddSshServer } from '../../../tests/doubles/hosts/sftp/ssh-server.ts'
import { outgoingNetwork } from '../../host/network/outgoing.ts'
import { hostKeyAt } from '../sftp/host-key.ts'
import { speaksSsh } from '../sftp/place.ts'
import { socketOptions } from './socket-options.ts'

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
    for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Greets whoever connects, as `far.example`. */
async function greeter() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'far.example' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'far.example' }] },
    ],
  })
  const server = createHttps({ key, cert })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.send('hello'))
  onTestFinished(() => sockets.clients.forEach((one) => one.terminate()))
  return { port: await listening(server), cert }
}

/** Leads every CONNECT to a port of this computer, whatever was asked for. */
async function proxyTo(port: number, status = 200) {
  const asked: (string | undefined)[][] = []
  const proxy = createHttp()
  proxy.on('connect', (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']])
    socket.on('error', () => undefined)
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const onward = connect(port, '127.0.0.1')
    onward.on('error', () => socket.destroy())
    onward.pipe(socket).pipe(onward)
  })
  return { asked, at: `127.0.0.1:${await listening(proxy)}` }
}

const dialBy = (ways: string, ca?: string) =>
  outgoingNetwork({ ...{ timeout: 5000, ca, envProxy: true }, resolve: async () => ways }).dial

const greeting = (address: string, dial: ReturnType<typeof dialBy>): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, socketOptions(address, dial))
    socket.on('message', (data: Buffer) => {
      resolve(data.toString())
      socket.terminate()
    })
    socket.on('error', reject)
  })

test('a websocket goes through the proxy of the system, and trusts what requests trust', async () => {
  const { port, cert } = await greeter()
  const { asked, at } = await proxyTo(port)
  expect(await greeting('wss://far.example:8080/ws', dialBy(`PROXY ${at}`, cert))).toBe('hello')
  await expect(greeting('wss://other.example/ws', dialBy(`PROXY ${at}`, cert))).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  await expect(greeting('wss://far.example/ws', dialBy(`PROXY ${at}`))).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  expect(asked.map(([host]) => host)).toEqual(['far.example:8080', 'other.example:443', 'far.example:443'])
})

test('a proxy of the environment gets its name and password, and not what it is not for', async () => {
  const { port, cert } = await greeter()
  const { asked, at } = await proxyTo(port)
  vi.stubEnv('HTTPS_PROXY', `http://ann:p%40ss@${at}`)
  vi.stubEnv('NO_PROXY', 'here.invalid, *.inside.invalid')
  const dial = dialBy('PROXY 127.0.0.1:1', cert)
  expect(await greeting('wss://far.example/ws', dial)).toBe('hello')
  for (const name of ['here.invalid', 'a.here.invalid', 'a.inside.invalid'])
    await expect(greeting(`wss://${name}/ws`, dial)).rejects.toMatchObject({
      code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) as string,
    })
  await expect(greeting(`wss://127.0.0.1:${port}/ws`, dial)).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  expect(asked).toEqual([['far.example:443', `Basic ${Buffer.from('ann:p@ss').toString('base64')}`]])
})

test.each([
  [407, 'PROXY_NAME'],
  [403, 'PROXY_REFUSED'],
])('a proxy that answers with %s is told as such, and nobody goes past it', async (status, code) => {
  const { at } = await proxyTo(1, status)
  const dial = dialBy(`PROXY ${at}; DIRECT`)
  await expect(greeting('wss://far.example/ws', dial)).rejects.toMatchObject({ code })
  await expect(dial({ hostname: 'far.example', port: 22, isSecure: false })).rejects.toMatchObject({ code })
})

test('SSH goes through it too', async () => {
  const host = await OddSshServer.open()
  onTestFinished(() => host.close())
  const { asked, at } = await proxyTo(host.port)
  const dial = dialBy(`PROXY ${at}`)
  const place = { host: 'far.example', port: 2022, user: 'ann', folder: '.' }
  expect(await speaksSsh(place, dial)).toBe(true)
  expect(await hostKeyAt(place, dial)).toMatch(/^ssh-ed25519 SHA256:/)
  expect(asked.map(([name]) => name)).toEqual(['far.example:2022', 'far.example:2022'])
})
