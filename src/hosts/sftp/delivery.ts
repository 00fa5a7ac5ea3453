import { createHash, type Hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unlessAborted } from '../../contract/rules/lanes.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller, SshLink } from './link.ts'
import * as remote from './remote.ts'
import { isMissing, LineCut, type Session } from './session.ts'

/** Bytes that the host hasn't confirmed; they are held to be sent again. */
const HELD_MOST = 4 * 1024 * 1024
/** Between attempts after a cut, ms; and without any that got further, how many. */
export const AGAIN_MS = [100, 500, 2000, 5000, 10_000, 20_000, 30_000]

interface Piece {
  at: number
  bytes: Buffer
  isThere: boolean
}

export interface DeliveredFile {
  size: number
  /** Hex. */
  sha256: string
}

/**
 * Writes what comes into a file that isn't there yet. After a cut of the line it goes on where the host confirmed the
 * bytes, and then reads the file back. Throws a refusal, or what the source throws; the caller removes the file then.
 */
export class Delivery {
  readonly #link: SshLink
  readonly #caller: Caller
  readonly #path: string
  readonly #source: AsyncIterator<Uint8Array>
  readonly #hash: Hash = createHash('sha256')
  /** In order, from the first one that isn't confirmed. */
  readonly #held: Piece[] = []
  /** For pieces to come: new buffers would pile up by the hundred MB. */
  readonly #free: Buffer[] = []
  #heldBytes = 0
  #read = 0
  #isBegun = false
  #cuts = 0

  constructor(link: SshLink, caller: Caller, path: string, source: AsyncIterable<Uint8Array>) {
    this.#link = link
    this.#caller = caller
    this.#path = path
    this.#source = source[Symbol.asyncIterator]()
  }

  async run(): Promise<DeliveredFile> {
    try {
      await this.#through((session) => this.#send(session))
      const sha256 = this.#hash.digest('hex')
      await this.#through((session) => this.#check(session, sha256))
      return { size: this.#read, sha256 }
    } finally {
      // A source that waits for its sender would hold this up.
      void this.#source.return?.().catch(() => undefined)
    }
  }

  /** Again after each cut, while it gets further. */
  async #through(work: (session: Session) => Promise<void>): Promise<void> {
    for (let failed = 0, before = -1; ;) {
      try {
        return await work(await this.#link.open(this.#caller))
      } catch (error) {
        this.#caller.signal.throwIfAborted()
        if (error instanceof SourceFailure) throw error.cause
        if (!isCut(error)) throw error
        this.#cuts++
        failed = this.#confirmed > before ? 0 : failed + 1
        before = this.#confirmed
        const pause = AGAIN_MS[failed]
        if (pause === undefined) throw error
        await wait(pause, undefined, { signal: this.#caller.signal })
      }
    }
  }

  /** The first byte that the host hasn't confirmed. */
  get #confirmed(): number {
    return this.#held[0]?.at ?? this.#read
  }

  /** A file that stays open keeps its place on the disk, also once it is removed. */
  async #send(session: Session): Promise<void> {
    const handle = await this.#open(session)
    try {
      await this.#sendTo(session, handle)
    } catch (error) {
      void remote.close(session, handle)
      throw error
    }
    await remote.close(session, handle)
  }

  async #sendTo(session: Session, handle: Buffer): Promise<void> {
    const flight = { count: 0, failure: null as Error | null, news: Promise.withResolvers<void>() }
    const start = (piece: Piece) => {
      flight.count++
      remote
        .write(session, handle, piece.bytes, piece.at)
        .then(() => this.#arrived(piece))
        .catch((error: unknown) => void (flight.failure ??= error as Error))
        .finally(() => {
          flight.count--
          flight.news.resolve()
          flight.news = Promise.withResolvers()
        })
    }
    const until = async (isMet: () => boolean) => {
      while (!flight.failure && !isMet()) await unlessAborted(flight.news.promise, this.#caller.signal)
      if (flight.failure) throw flight.failure
    }
    for (const piece of this.#held) if (!piece.isThere) start(piece)
    for (;;) {
      await until(() => this.#heldBytes < HELD_MOST)
      const next = await this.#next()
      if (next.done) break
      for (const piece of this.#take(next.value)) start(piece)
    }
    await until(() => flight.count === 0)
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const { signal } = this.#caller
    try {
      // A source that was given up may never answer.
      return await unlessAborted(this.#source.next(), signal)
    } catch (error) {
      throw signal.aborted ? error : new SourceFailure('The source failed.', { cause: error })
    }
  }

  async #open(session: Session): Promise<Buffer> {
    if (!this.#isBegun) {
      this.#isBegun = true
      return remote.open(session, this.#path, 'wx')
    }
    try {
      const handle = await remote.open(session, this.#path, 'r+')
      // What was confirmed may be lost: the host broke down, or empties a file that is opened for writing, as Wings does.
      if ((await remote.handleStat(session, handle)).size >= this.#confirmed) return handle
      void remote.close(session, handle)
      throw hostRefusal(502, 'sftp.lost')
    } catch (error) {
      if (!isMissing(error) || this.#confirmed > 0) throw error
      return remote.open(session, this.#path, 'wx')
    }
  }

  #take(chunk: Uint8Array): Piece[] {
    this.#hash.update(chunk)
    const pieces: Piece[] = []
    for (let at = 0; at < chunk.length; at += remote.PIECE) {
      const part = this.#copyOf(chunk.subarray(at, at + remote.PIECE))
      pieces.push({ at: this.#read, bytes: part, isThere: false })
      this.#read += part.length
      this.#heldBytes += part.length
    }
    this.#held.push(...pieces)
    return pieces
  }

  /** Sources reuse their buffers, and pieces are sent again after a cut, or later, in parts. */
  #copyOf(part: Uint8Array): Buffer {
    const room = this.#free.pop() ?? Buffer.allocUnsafeSlow(remote.PIECE)
    room.set(part)
    return room.subarray(0, part.length)
  }

  #arrived(piece: Piece): void {
    piece.isThere = true
    while (this.#held[0]?.isThere) {
      const { bytes } = this.#held.shift()!
      this.#heldBytes -= bytes.length
      this.#free.push(Buffer.from(bytes.buffer))
    }
  }

  /** An unbroken line guards the bytes itself. */
  async #check(session: Session, sha256: string): Promise<void> {
    const { size } = await remote.stat(session, this.#path)
    if (size !== this.#read) throw hostRefusal(502, 'sftp.lost')
    if (this.#cuts === 0) return
    const handle = await remote.open(session, this.#path, 'r')
    const hash = createHash('sha256')
    try {
      for await (const piece of remote.bytesIn(session, handle, 0, size)) hash.update(piece)
    } finally {
      void remote.close(session, handle)
    }
    if (hash.digest('hex') !== sha256) throw hostRefusal(502, 'sftp.lost')
  }
}

/** It isn't asked again: an iterator that threw pretends to be at its end. */
class SourceFailure extends Error {}

const NETWORK = /^(?:E(?:CONN|HOST|NET|TIMEDOUT|PIPE|AI_AGAIN)|ENOTFOUND$)/

/** Whether the line broke, so that another one may do. */
export const isCut = (error: unknown): boolean =>
  error instanceof LineCut ||
  (error instanceof HostRefusal
    ? error.told?.sentence === 'sftp.silent'
    : NETWORK.test(String((error as NodeJS.ErrnoException | null)?.code)))
