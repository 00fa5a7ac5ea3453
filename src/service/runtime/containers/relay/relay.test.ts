import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { javaServerJar } from '../../../../../tests/doubles/java-server.ts'
import { startJava } from '../../../../../tests/doubles/running-java-server.ts'
import { temporary } from '../../../../host/temporary.fixture.ts'
import { RELAY_JAR, RELAY_SOURCE } from './relay-jar.ts'

const SERVER = '127.0.0.2'

/** A server, and a Java program whose relay leads there from 127.0.0.1. */
async function relayTo(take: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    take(socket)
  })
  server.listen(0, SERVER)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const folder = temporary()
  const jar = path.join(folder, 'relay.jar')
  writeFileSync(jar, Buffer.from(RELAY_JAR, 'base64'))
  const proxy = await javaServerJar({ kind: 'velocity' })
  const own = createServer().listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port: free } = own.address() as { port: number }
  own.close()
  const args = [`-javaagent:${jar}=${port}=${SERVER}`, '-jar', proxy, '--port', String(free)]
  await startJava(args, folder).line(/Done/)
  return { server, port }
}

/** Until the other side has ended. The own may go on. */
const all = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    socket.once('end', () => resolve(Buffer.concat(pieces)))
    socket.once('error', reject)
  })

test('is made from its source', () => {
  const source = readFileSync(path.join(import.meta.dirname, 'Relay.java'))
  // `npm run relay` makes it anew.
  expect(createHash('sha256').update(source).digest('hex')).toBe(RELAY_SOURCE)
})

test('passes on every byte both ways, at the pace of the slower side, and the end of each', async () => {
  const bytes = randomBytes(8 * 1024 * 1024)
  const { port } = await relayTo((socket) => {
    // Its answer comes only after the other side has ended, and goes on from there.
    void all(socket).then((heard) => socket.end(heard))
  })
  const sockets = Array.from({ length: 3 }, () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
  for (const socket of sockets) socket.end(bytes)
  // What nobody reads yet must not hold up the others.
  const [slow, ...others] = sockets
  for (const socket of others) expect((await all(socket)).equals(bytes)).toBe(true)
  expect((await all(slow!)).equals(bytes)).toBe(true)
})

test('a player who is cut off is cut off from the server, and the other way round', async () => {
  const taken: Socket[] = []
  const { port } = await relayTo((socket) => void taken.push(socket))
  const player = connect(port, '127.0.0.1').on('error', () => undefined)
  player.write('hello')
  await expect.poll(() => taken.length).toBe(1)
  const heard = all(taken[0]!)
  player.resetAndDestroy()
  expect((await heard).toString()).toBe('hello')
  const other = connect(port, '127.0.0.1').on('error', () => undefined)
  await expect.poll(() => taken.length).toBe(2)
  taken[1]!.resetAndDestroy()
  await all(other.resume())
})

test('a server that is not there closes the connection, and is reached once it is back', async () => {
  const { server, port } = await relayTo((socket) => void socket.end('here'))
  server.close()
  await once(server, 'close')
  const refused = connect(port, '127.0.0.1')
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
  server.listen(port, SERVER)
  await once(server, 'listening')
  expect((await all(connect(port, '127.0.0.1'))).toString()).toBe('here')
})
