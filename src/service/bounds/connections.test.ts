import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { BOUNDS, type Bounds } from './bounds.ts'
import { Connections, vouchFor } from './connections.ts'

/** A listener that answers when it is told to. */
async function listener(bounds: Partial<Bounds>) {
  const connections = new Connections({ ...BOUNDS, ...bounds })
  const answers: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!connections.takes(request, response)) return
    if (request.headers.authorization) vouchFor(request.socket)
    answers.push(response)
    if (request.url === '/now') response.end('here')
  })
  server.on('connection', (socket) => connections.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { open, answers }
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
