import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { BOUNDS, type Bounds } from './bounds.ts'
import { askerOf, Connections, vouchFor } from './connections.ts'

/** A listener that answers when it is told to. */
async function listener(bounds: Partial<Bounds>) {
  const connections = new Connections({ ...BOUNDS, ...bounds })
  const answers: ServerResponse[] = []
  const askers: string[] = []
  const server = createServer((request, response) => {
    if (!connections.takes(request, response)) return
    const { authorization } = request.headers
    if (authorization === 'Bearer x') vouchFor(request.socket, authorization, 'owner')
    askers.push(askerOf(request))
    answers.push(response)
    if (request.url === '/now') response.end('here')
  })
  connections.of(server, false)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { open, answers, askers }
}

const answered = async (socket: Socket, head = '') => {
  const read = once(socket, 'data')
  socket.write(`GET /now HTTP/1.1\r\nHost: x\r\n${head}\r\n`)
  return String((await read)[0])
}

test('who only opens connections drops their own, not that of who has signed in', async () => {
  const { open } = await listener({ connectionsOfAddress: 5 })
  const owner = await open()
  expect(await answered(owner, 'Authorization: Bearer x\r\n')).toContain('here')
  const strangers = await Promise.all(Array.from({ length: 4 }, open))
  const ends = strangers.map((socket) => once(socket, 'close'))
  for (let i = 0; i < 20; i++) await open()
  await Promise.all(ends)
  expect(await answered(owner)).toContain('here')
})

test('a connection that asks on and on without waiting is ended', async () => {
  const { open, answers } = await listener({ requestsOfConnection: 3 })
  const socket = await open()
  const closed = once(socket, 'close')
  socket.resume().write('GET /later HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500))
  await closed
  expect(answers.length).toBe(3)
})

test('an account takes its own turns, and makes no more askers of itself by tokens it invents', async () => {
  const { open, askers } = await listener({})
  const socket = await open()
  await answered(socket, 'Authorization: Bearer x\r\n')
  for (const one of ['', 'Authorization: Bearer 1\r\n', 'Authorization: Bearer 2\r\n'])
    await answered(socket, one)
  expect(askers).toEqual(['account owner', ...Array(3).fill('address 127.0.0.1')])
})

/** A connection of a household that has a /64 to itself, without the network there would have to be. */
class FromHousehold extends EventEmitter {
  readonly remoteAddress: string
  destroyed = false

  constructor(at: number) {
    super()
    this.remoteAddress = `2001:db8:1:2::${at.toString(16)}`
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

test('all IPv6 addresses of one household take the turns and the connections of one', () => {
  const sockets = Array.from({ length: 1000 }, (_none, at) => new FromHousehold(at + 1))
  const asked = sockets.map((socket) => askerOf({ socket, headers: {} } as never))
  expect(new Set(asked)).toEqual(new Set(['address 2001:db8:1:2::/64']))
  const connections = new Connections({ ...BOUNDS, connectionsOfAddress: 5 })
  for (const socket of sockets) connections.add(socket as never)
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(5)
})
