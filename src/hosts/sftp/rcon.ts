import type { Duplex } from 'node:stream'
import type { Dial } from '../../host/network/dial.ts'
import { hostRefusal } from '../base/adapter.ts'
import type { Caller, SshLink } from './link.ts'

const SIGN_IN = 3
const COMMAND = 2
/** The game reads one packet at a time into 1460 bytes. */
const COMMAND_MOST = 1446
/** A longer reply comes in packets of so many bytes at least. */
const FULL = 4096
const PACKET_MOST = 64 * 1024
const REPLY_MOST = 256 * 1024
const LIMIT_MS = 10_000
/** For the rest of a long reply, whose end isn't marked. */
const REST_MS = 500

export interface RconAccess {
  port: number
  password: string
}

/** How commands get to the game: through SSH, or without encryption where a person allowed that. */
export class Rcon {
  readonly #link: SshLink
  readonly #dial: Dial
  readonly #isPlainAllowed: () => boolean

  constructor(link: SshLink, dial: Dial, isPlainAllowed: () => boolean) {
    this.#link = link
    this.#dial = dial
    this.#isPlainAllowed = isPlainAllowed
  }

  /** False once the host refused to lead there. */
  async hasWay(caller: Caller): Promise<boolean> {
    return this.#isPlainAllowed() || (await this.#link.open(caller)).canTunnel !== false
  }

  async send(command: string, { port, password }: RconAccess, caller: Caller): Promise<string> {
    const session = await this.#link.open(caller)
    const tunnel = await session.tunnel(port)
    if (tunnel === 'refused') throw hostRefusal(503, 'sftp.rcon-silent')
    if (tunnel !== null) return sendByRcon(tunnel, password, command)
    if (!this.#isPlainAllowed()) throw hostRefusal(409, 'sftp.no-tunnel')
    const { host: hostname } = this.#link.place
    const socket = await this.#dial({ hostname, port, isSecure: false }).catch(() => null)
    if (!socket) throw hostRefusal(503, 'sftp.rcon-silent')
    return sendByRcon(socket, password, command)
  }
}

/** Sends one command over an open or opening stream, which is ended. The reply is empty if the game has nothing to say. */
function sendByRcon(stream: Duplex, password: string, command: string): Promise<string> {
  const bytes = Buffer.from(command)
  if (bytes.length > COMMAND_MOST) {
    stream.destroy()
    throw hostRefusal(422, 'sftp.rcon-long', { most: COMMAND_MOST })
  }
  return new Promise((resolve, reject) => {
    let unread: Buffer = Buffer.alloc(0)
    const reply: Buffer[] = []
    let length = 0
    let isIn = false
    let limit: NodeJS.Timeout
    const end = () => {
      clearTimeout(limit)
      stream.destroy()
    }
    const fail = (error: Error) => {
      end()
      reject(error)
    }
    const finish = () => {
      end()
      resolve(Buffer.concat(reply).toString())
    }
    limit = setTimeout(() => fail(hostRefusal(504, 'sftp.rcon-silent')), LIMIT_MS)
    const take = ({ id, payload }: Packet) => {
      if (!isIn) {
        if (id === REFUSED) return fail(hostRefusal(409, 'sftp.rcon-password'))
        isIn = true
        return void stream.write(packet(2, COMMAND, bytes))
      }
      reply.push(payload)
      length += payload.length
      if (payload.length < FULL || length > REPLY_MOST) return finish()
      clearTimeout(limit)
      limit = setTimeout(finish, REST_MS)
    }
    stream.on('error', () => fail(hostRefusal(503, 'sftp.rcon-silent')))
    stream.on('close', () => fail(hostRefusal(503, 'sftp.rcon-silent')))
    stream.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      for (let next = packetIn(unread); next; next = packetIn(unread)) {
        if (next === 'wrong') return fail(hostRefusal(502, 'sftp.rcon-silent'))
        unread = next.rest
        take(next)
      }
    })
    stream.write(packet(1, SIGN_IN, Buffer.from(password)))
  })
}

/** The id in an answer to a wrong password. */
const REFUSED = -1

interface Packet {
  id: number
  payload: Buffer
}

/** Length, id, kind, text and two zeros. */
function packet(id: number, kind: number, text: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeInt32LE(text.length + 10, 0)
  head.writeInt32LE(id, 4)
  head.writeInt32LE(kind, 8)
  return Buffer.concat([head, text, Buffer.alloc(2)])
}

function packetIn(bytes: Buffer): (Packet & { rest: Buffer }) | 'wrong' | null {
  if (bytes.length < 4) return null
  const length = bytes.readInt32LE(0)
  if (length < 10 || length > PACKET_MOST) return 'wrong'
  if (bytes.length < length + 4) return null
  return {
    id: bytes.readInt32LE(4),
    payload: bytes.subarray(12, length + 2),
    rest: bytes.subarray(length + 4),
  }
}
