import { setTimeout as wait } from 'node:timers/promises'
import { isCut } from './delivery.ts'
import type { Caller, SshLink } from './link.ts'
import * as remote from './remote.ts'
import type { Session } from './session.ts'

/** Between attempts after a cut, ms; and without any that got further, how many. */
const AGAIN_MS = [100, 500, 2000, 5000]

interface OpenFile {
  session: Session
  handle: Buffer
  size: number
  /** Seconds since 1970. */
  mtime: number
}

/** A file as it was when it was opened. After a cut of the line, reading goes on where it was. */
export class Reading {
  readonly #link: SshLink
  readonly #path: string
  #file: OpenFile

  private constructor(link: SshLink, path: string, file: OpenFile) {
    this.#link = link
    this.#path = path
    this.#file = file
  }

  static async open(link: SshLink, session: Session, path: string): Promise<Reading> {
    return new Reading(link, path, await opened(session, path))
  }

  get size(): number {
    return this.#file.size
  }

  close(): void {
    void remote.close(this.#file.session, this.#file.handle)
  }

  /** From `from` to before `to`. Throws the cut if the file isn't what it was. */
  async *bytes(from: number, to: number, caller: Caller): AsyncGenerator<Buffer> {
    let failed = 0
    for (let next = from; ;) {
      try {
        const { session, handle } = this.#file
        for await (const piece of remote.bytesIn(session, handle, next, to)) {
          next += piece.length
          failed = 0
          yield piece
        }
        return
      } catch (error) {
        for (let isOpen = false; !isOpen;) {
          const pause = AGAIN_MS[failed++]
          if (!isCut(error) || pause === undefined) throw error
          await wait(pause, undefined, { signal: caller.signal })
          isOpen = await this.#openAgain(error, caller)
        }
      }
    }
  }

  /** False if the line was cut again. */
  async #openAgain(cut: unknown, caller: Caller): Promise<boolean> {
    try {
      const { size, mtime } = this.#file
      this.#file = await opened(await this.#link.open(caller), this.#path)
      if (this.#file.size === size && this.#file.mtime === mtime) return true
    } catch (error) {
      if (isCut(error)) return false
      throw error
    }
    throw cut
  }
}

async function opened(session: Session, path: string): Promise<OpenFile> {
  const handle = await remote.open(session, path, 'r')
  try {
    const { size, mtime } = await remote.handleStat(session, handle)
    return { session, handle, size, mtime }
  } catch (error) {
    void remote.close(session, handle)
    throw error
  }
}
