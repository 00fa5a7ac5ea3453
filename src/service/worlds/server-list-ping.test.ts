import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { startJavaServer } from '../../../tests/doubles/running-java-server.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { pingServer } from './server-list-ping.ts'

/** Listens, and lets `answer` have what comes in. */
async function listening(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const varInt = (value: number): number[] =>
  value > 0x7f ? [(value & 0x7f) | 0x80, ...varInt(value >>> 7)] : [value]
function packet(json: string): Buffer {
  const text = Buffer.from(json)
  const body = Buffer.concat([Buffer.from([0, ...varInt(text.length)]), text])
  return Buffer.concat([Buffer.from(varInt(body.length)), body])
}
const status = (description: unknown, online = 3) =>
  JSON.stringify({
    version: { name: 'Paper 1.21.4', protocol: 769 },
    players: { max: 20, online },
    description,
  })
const answering = (bytes: Buffer) => listening((socket) => socket.once('data', () => socket.write(bytes)))

test('a server says its version, how many play, and its message', async () => {
  const port = ownPort()
  const server = startJavaServer(await javaServerJar({ kind: 'vanilla', version: '1.21.4' }), temporary(), {
    'server-port': port,
    motd: '\\u00A76Gold\\u00A7r and more',
    'max-players': 12,
  })
  await server.line(/Done \(/)
  server.type('join Steve')
  await server.line(/Steve joined the game/)
  expect(await pingServer(port)).toEqual({
    version: '1.21.4',
    players: { online: 1, max: 12 },
    description: 'Gold and more',
  })
})

test('a server that has turned status off does not answer', async () => {
  const port = await listening((socket) => socket.once('data', () => socket.destroy()))
  expect(await pingServer(port)).toBe(null)
})

test('an answer may come byte by byte', async () => {
  const bytes = packet(status('Hello'))
  const port = await listening((socket) => {
    socket.setNoDelay(true)
    socket.once('data', () => {
      const next = (at: number): unknown =>
        at < bytes.length && socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1))
      next(0)
    })
  })
  expect((await pingServer(port))?.description).toBe('Hello')
})

test.each([
  [{ text: 'A', extra: [{ text: ' B' }, ' C', { translate: 'some.key' }] }, 'A B Csome.key'],
  [['A', { text: 'B\n' }, { text: 'C' }], 'AB\nC'],
  ['§lBold§', 'Bold§'],
  [7, ''],
  ['x'.repeat(5_000), 'x'.repeat(1_000)],
])('of the message %j its text is taken', async (description, text) => {
  expect((await pingServer(await answering(packet(status(description)))))?.description).toBe(text)
})

test('a message that is nested without end, or of too many parts, is cut', async () => {
  const nested = `${'{"extra":['.repeat(20_000)}${']}'.repeat(20_000)}`
  const json = status('here').replace('"here"', nested)
  expect(await pingServer(await answering(packet(json)))).toMatchObject({ description: '' })
  const parts = status(Array.from({ length: 20_000 }, () => ''))
  expect(await pingServer(await answering(packet(parts)))).toMatchObject({ description: '' })
})

test('nothing is known of a port where nobody listens', async () => {
  expect(await pingServer(ownPort())).toBe(null)
})

test('what never answers is given up', async () => {
  expect(await pingServer(await listening(() => undefined), { limitMs: 50 })).toBe(null)
  const whole = packet(status('Hello'))
  const half = await answering(whole.subarray(0, whole.length - 1))
  expect(await pingServer(half, { limitMs: 50 })).toBe(null)
})

test('what is no answer is none', async () => {
  for (const bytes of [
    Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0]),
    Buffer.from([...varInt(3), 1, 0, 0]),
    // A text that is said to be longer than the packet.
    Buffer.from([...varInt(3), 0, 9, 65]),
    packet('{'),
    packet('null'),
    packet('{"version":{"name":"1"},"players":{"online":-1,"max":2}}'),
    packet(status('', 1.5)),
  ])
    expect([bytes, await pingServer(await answering(bytes), { limitMs: 600_000 })]).toEqual([bytes, null])
})

test('an answer of more than 1 MiB is refused by what it says of its length', async () => {
  let closed: () => void
  const gone = new Promise<void>((resolve) => (closed = resolve))
  const port = await listening((socket) => {
    socket.on('close', () => closed())
    // The rest never comes: whoever waited for it would wait until the limit.
    socket.once('data', () => socket.write(Buffer.from([...varInt(1024 * 1024 + 1), 0])))
  })
  expect(await pingServer(port, { limitMs: 600_000 })).toBe(null)
  await gone
})
