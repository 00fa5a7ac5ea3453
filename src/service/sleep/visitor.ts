import type { Socket } from 'node:net'
import { isPlausibleName } from '../../contract/rules/players/player-names.ts'
import { offlineUuid } from '../../host/offline-uuid.ts'
import { BadPacket, FrameReader, type PacketReader } from './frames.ts'
import * as packets from './packets.ts'
import { said } from './face.ts'

/** Bytes: packets of a sign-in are well below, and those of a waiting player. */
const STRANGER_BYTES = 2048
const WAITING_BYTES = 64 * 1024
/** Of all that a waiting player may send. */
const WAITING_BYTES_IN_ALL = 512 * 1024
const NAME_BYTES = 64
const HOST_BYTES = 1024

/** From connecting to having been answered, and to having taken the answer, in ms. */
const STRANGER_MS = 5000
const LEAVING_MS = 1000
/** Games give up after 30 s of silence. */
const ALIVE_MS = 10_000

/** What a sleeping server shows of itself. */
export interface Face extends Omit<packets.Status, 'protocol'> {
  /** `enable-status=false`. */
  isHidden: boolean
}

/** Who wants to join. */
export interface Joining {
  name: string
  address: string
  /** Waiting here and being sent on is possible for them. */
  mayWait: boolean
}

export interface Host {
  face(): Promise<Face>
  /** A sentence sends them away. */
  join(who: Joining): Promise<{ sentence: string } | 'wait'>
  /** The visitor waits from now on. */
  waits(visitor: Visitor): void
}

type State = 'hello' | 'old' | 'status' | 'login' | 'answering' | 'welcomed' | 'waiting' | 'over'

/** One connection to a sleeping server. */
export class Visitor {
  /** Called when it has left, or is about to. */
  onOver: () => void = () => undefined
  readonly #socket: Socket
  readonly #address: string
  readonly #host: Host
  readonly #frames = new FrameReader(STRANGER_BYTES)
  readonly #limit: NodeJS.Timeout
  #state: State = 'hello'
  #protocol = 0
  #asked: { host: string; port: number } = { host: '', port: 0 }
  #first: Buffer | null = Buffer.alloc(0)
  #bytes = 0
  #listed: Promise<void> | null = null
  #alive: NodeJS.Timeout | null = null
  /** What to send once the player waits. */
  #last: Buffer | null = null

  constructor(socket: Socket, address: string, host: Host) {
    this.#socket = socket
    this.#address = address
    this.#host = host
    socket.setNoDelay(true)
    this.#limit = setTimeout(() => socket.destroy(), STRANGER_MS)
    socket.on('data', (piece: Buffer) => this.#guarded(() => this.#take(piece)))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#over())
  }

  get isWaiting(): boolean {
    return this.#state === 'welcomed' || this.#state === 'waiting'
  }

  /** The server is ready. */
  sendOn(): void {
    this.#part(packets.transfer(this.#asked.host, this.#asked.port))
  }

  sendAway(sentence: string): void {
    this.#part(packets.goodbye(sentence))
  }

  /** Resolves once it is closed. What was being answered still arrives. */
  async end(): Promise<void> {
    if (this.#socket.closed) return
    const closed = new Promise((resolve) => this.#socket.once('close', resolve))
    if (this.#state === 'answering') this.#leave(packets.refusal(said.waking(null)))
    else if (this.#state === 'over') this.#socket.destroySoon()
    else this.#socket.destroy()
    await closed
  }

  #part(packet: Buffer): void {
    this.#last = packet
    if (this.#state === 'waiting') this.#leave(packet)
  }

  #take(piece: Buffer): void {
    if (this.#state === 'over') return
    this.#bytes += piece.length
    if (this.#bytes > WAITING_BYTES_IN_ALL) throw new BadPacket('too much')
    let bytes = piece
    if (this.#first) {
      this.#first = bytes = Buffer.concat([this.#first, piece])
      const old = oldPing(bytes)
      if (old !== null) return void this.#answerOld(old)
      this.#first = null
    }
    this.#frames.push(bytes, (packet) => {
      this.#packet(packet)
      return this.#state !== 'over'
    })
  }

  #packet(packet: PacketReader): void {
    const id = packet.varInt()
    switch (this.#state) {
      case 'hello':
        return this.#hello(id, packet)
      case 'status':
        if (id === 0 && !this.#listed) return void (this.#listed = this.#answerStatus())
        if (id === 1) return void this.#pong(packet.take(8))
        break
      case 'login':
        if (id !== 0) break
        return void this.#login(nameIn(packet))
      case 'welcomed':
        if (id === 3) return this.#startWaiting()
        break
      case 'waiting':
      case 'over':
        return
      case 'old':
      case 'answering':
    }
    throw new BadPacket(`packet ${id} in state ${this.#state}`)
  }

  #hello(id: number, packet: PacketReader): void {
    if (id !== 0) throw new BadPacket('no handshake')
    this.#protocol = packet.varInt()
    // Modded games add their mark behind a zero, and proxies the player's address.
    this.#asked = { host: packet.text(HOST_BYTES).replace(/\.$/, ''), port: packet.port() }
    const next = packet.varInt()
    if (next === 1) this.#state = 'status'
    // 3: another server sent the player here.
    else if (next === 2 || next === 3) this.#state = 'login'
    else throw new BadPacket('a handshake for something else')
  }

  async #answerStatus(): Promise<void> {
    const face = await this.#of(this.#host.face())
    if (!face || this.#state !== 'status') return
    if (face.isHidden) return void this.#socket.destroy()
    this.#socket.write(packets.statusAnswer({ ...face, protocol: this.#protocol }))
  }

  async #pong(payload: Buffer): Promise<void> {
    await this.#listed
    if (this.#state === 'status') this.#leave(packets.pong(payload))
  }

  async #answerOld(isOldest: boolean): Promise<void> {
    this.#state = 'old'
    const face = await this.#of(this.#host.face())
    if (!face || this.#state !== 'old') return
    if (face.isHidden) return void this.#socket.destroy()
    this.#leave(packets.oldAnswer(face, isOldest))
  }

  async #login(name: string): Promise<void> {
    this.#state = 'answering'
    const mayWait =
      // Elsewhere a port can be blocked by the connections it had.
      process.platform !== 'win32' &&
      this.#protocol >= packets.TRANSFERS.first &&
      this.#protocol <= packets.TRANSFERS.last &&
      /^[\w.:-]{1,253}$/.test(this.#asked.host) &&
      this.#asked.port > 0
    const answer = await this.#of(this.#host.join({ name, address: this.#address, mayWait }))
    if (!answer || this.#state !== 'answering') return
    if (answer !== 'wait') return this.#leave(packets.refusal(answer.sentence))
    this.#state = 'welcomed'
    this.#host.waits(this)
    this.#socket.write(packets.welcome(this.#protocol, offlineUuid(name), name))
  }

  #startWaiting(): void {
    this.#state = 'waiting'
    this.#frames.most = WAITING_BYTES
    clearTimeout(this.#limit)
    if (this.#last) return this.#leave(this.#last)
    this.#alive = setInterval(() => this.#socket.write(packets.keepAlive()), ALIVE_MS).unref()
  }

  #leave(last: Buffer): void {
    this.#over()
    this.#socket.end(last)
    setTimeout(() => this.#socket.destroy(), LEAVING_MS).unref()
  }

  #over(): void {
    this.#state = 'over'
    this.onOver()
    clearTimeout(this.#limit)
    if (this.#alive) clearInterval(this.#alive)
  }

  /** Null, and the connection closed, if it fails. */
  async #of<T>(answer: Promise<T>): Promise<T | null> {
    try {
      return await answer
    } catch {
      this.#socket.destroy()
      return null
    }
  }

  #guarded(take: () => void): void {
    try {
      take()
    } catch {
      this.#socket.destroy()
    }
  }
}

function nameIn(packet: PacketReader): string {
  const name = packet.text(NAME_BYTES)
  if (!isPlausibleName(name)) throw new BadPacket('no name')
  return name
}

/** As the game decides it: true for the oldest form, null for none. */
function oldPing(bytes: Buffer): boolean | null {
  if (bytes[0] !== 0xfe) return null
  if (bytes.length === 1) return true
  if (bytes[1] !== 0x01) return null
  return bytes.length === 2 || bytes[2] === 0xfa ? false : null
}
