import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** RCON as the game speaks it: one packet in each read, and replies in packets of 4096 bytes. */
export async function startRcon(password: string, reply: (command: string) => string) {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    let isIn = false
    socket.on('data', (bytes) => {
      const length = bytes.readInt32LE(0)
      // The game closes on anything else than exactly one packet.
      if (bytes.length > 1460 || length !== bytes.length - 4) return socket.destroy()
      const [id, kind] = [bytes.readInt32LE(4), bytes.readInt32LE(8)]
      const text = bytes.toString('utf8', 12, length + 2)
      if (kind === 3) {
        isIn = text === password
        return send(socket, isIn ? id : -1, 2, '')
      }
      if (!isIn || kind !== 2) return send(socket, -1, 2, '')
      heard.push(text)
      const said = reply(text)
      for (let at = 0; at === 0 || at < said.length; at += 4096)
        send(socket, id, 0, said.slice(at, at + 4096))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    ...{ port, heard },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(socket: Socket, id: number, kind: number, text: string): void {
  const bytes = Buffer.from(text)
  const packet = Buffer.alloc(bytes.length + 14)
  packet.writeInt32LE(bytes.length + 10, 0)
  packet.writeInt32LE(id, 4)
  packet.writeInt32LE(kind, 8)
  bytes.copy(packet, 12)
  socket.write(packet)
}
