import { createServer as createHttp } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createHttps } from 'node:https'
import { generate } from 'selfsigned'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { outgoing } from './outgoing.ts'

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

const hello = (_request: unknown, response: { end: (text: string) => void }) => response.end('hello')

async function certified() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'far.example' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'far.example' }] },
    ],
  })
  return { port: await listening(createHttps({ key, cert }, hello)), cert }
}

/** Takes bytes from a connection as they come, however they are cut. */
function taking(socket: Socket) {
  const whole = socket[Symbol.asyncIterator]()
  let kept = Buffer.alloc(0)
  return async (count: number): Promise<Buffer> => {
    while (kept.length < count) {
      const { value, done } = await whole.next()
      if (done) throw new Error('It ended.')
      kept = Buffer.concat([kept, value as Buffer])
    }
    const taken = kept.subarray(0, count)
    kept = kept.subarray(count)
    return taken
  }
}

/** A SOCKS proxy that leads to a port of this computer whatever host was named, or answers with what it is given. */
async function socks(port: number, says: { method?: number; reply?: number; pieces?: true } = {}) {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void speak(socket, taking(socket)).catch(() => socket.destroy())
  })
  const { method = 0, reply = 0 } = says
  const send = async (socket: Socket, bytes: number[]) => {
    for (const piece of says.pieces ? bytes.map((one) => [one]) : [bytes])
      await new Promise<void>((resolve) => void socket.write(Buffer.from(piece), () => resolve()))
  }
  async function speak(socket: Socket, take: (count: number) => Promise<Buffer>) {
    const [version] = await take(1)
    if (version === 4) {
      const [, high = 0, low = 0, ...address] = await take(7)
      while ((await take(1))[0] !== 0);
      let host = ''
      if (address.join('.') === '0.0.0.1')
        for (let one; (one = (await take(1)).toString()) !== '\0';) host += one
      asked.push(`4 ${host || address.join('.')}:${high * 256 + low}`)
      await send(socket, [0, reply || 0x5a, 0, 0, 0, 0, 0, 0])
    } else {
      const [methods = 0] = await take(1)
      await take(methods)
      await send(socket, [5, method])
      const [, , , kind] = await take(4)
      const host = kind === 1 ? [...(await take(4))].join('.') : (await take((await take(1))[0]!)).toString()
      const where = await take(2)
      asked.push(`5 ${host}:${where.readUInt16BE()}`)
      // A name as the address that it is bound to, as some proxies answer.
      await send(socket, [5, reply, 0, 3, 4, ...Buffer.from('here'), 0, 0])
    }
    if (reply !== 0) return
    const onward = connect(port, '127.0.0.1')
    onward.on('error', () => socket.destroy())
    onward.pipe(socket)
    // What the iterator has not read yet is still to come.
    void (async () => {
      for (;;) onward.write(await take(1))
    })().catch(() => onward.end())
  }
  return { asked, at: `127.0.0.1:${await listening(server)}` }
}

async function get(address: string, ways: string, ca?: string): Promise<string> {
  const dispatcher = outgoing({ timeout: 5000, ca, envProxy: true, resolve: async () => ways })
  onTestFinished(() => dispatcher.destroy())
  const { origin, pathname } = new URL(address)
  const { body } = await dispatcher.request({ origin, path: pathname, method: 'GET' })
  return body.text()
}
const codeOf = (address: string, ways: string) =>
  get(address, ways).then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code,
  )

it.each([
  ['SOCKS5', '5'],
  ['SOCKS', '4'],
  ['SOCKS4', '4'],
])('a host is reached through a %s proxy, which looks its name up', async (kind, version) => {
  const port = await listening(createHttp(hello))
  const { asked, at } = await socks(port)
  expect(await get('http://far.example/a', `${kind} ${at}`)).toBe('hello')
  expect(await get('http://198.51.100.7:8080/a', `${kind} ${at}`)).toBe('hello')
  expect(asked).toEqual([`${version} far.example:80`, `${version} 198.51.100.7:8080`])
})

it('https goes through it as it stands, and the certificate of the host is what counts', async () => {
  const { port, cert } = await certified()
  const { asked, at } = await socks(port)
  expect(await get('https://far.example/', `SOCKS5 ${at}`, cert)).toBe('hello')
  await expect(get('https://other.example/', `SOCKS5 ${at}`, cert)).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  expect(asked).toEqual(['5 far.example:443', '5 other.example:443'])
})

it('an answer that comes byte by byte is understood', async () => {
  const { at } = await socks(await listening(createHttp(hello)), { pieces: true })
  expect(await get('http://far.example/', `SOCKS5 ${at}`)).toBe('hello')
})

it.each([
  ['wants a name and a password', 'SOCKS5', { method: 255 }, 'PROXY_NAME'],
  ['allows nobody there', 'SOCKS5', { reply: 2 }, 'PROXY_REFUSED'],
  ['finds the port closed', 'SOCKS5', { reply: 5 }, 'ECONNREFUSED'],
  ['finds no way', 'SOCKS5', { reply: 4 }, 'EHOSTUNREACH'],
  ['refuses', 'SOCKS4', { reply: 0x5b }, 'PROXY_REFUSED'],
  ['does not know who we are', 'SOCKS4', { reply: 0x5d }, 'PROXY_NAME'],
])('a proxy that %s (%s) is told as such', async (_, kind, says, code) => {
  const { at } = await socks(1, says)
  expect(await codeOf('http://far.example/', `${kind} ${at}`)).toBe(code)
})

it('what is no SOCKS proxy is told as such, and so is one that is not there or hangs up', async () => {
  const web = await listening(createHttp(hello))
  expect(await codeOf('http://far.example/', `SOCKS5 127.0.0.1:${web}`)).toBe('PROXY_KIND')
  const hangs = await listening(createServer((socket) => void socket.end()))
  expect(await codeOf('http://far.example/', `SOCKS5 127.0.0.1:${hangs}`)).toBe('PROXY_REFUSED')
  expect(await codeOf('http://far.example/', 'SOCKS5 127.0.0.1:1')).toBe('ECONNREFUSED')
})

it('a proxy that says nothing is not waited for', async () => {
  const silent = await listening(createServer((socket) => void socket.on('error', () => undefined)))
  const dispatcher = outgoing({
    ...{ timeout: 50, envProxy: true, resolve: async () => `SOCKS5 127.0.0.1:${silent}` },
  })
  onTestFinished(() => dispatcher.destroy())
  const asked = dispatcher.request({ origin: 'http://far.example', path: '/', method: 'GET' })
  await expect(asked).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
})
