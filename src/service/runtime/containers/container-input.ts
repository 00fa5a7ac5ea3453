import { PassThrough, type Duplex, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Buffered input in bytes, if the program doesn't read it. */
const INPUT_MAX = 256 * 1024
/** How long the connection stays after the last line, in ms. */
const IDLE_MS = 60_000

type Attach = (signal: AbortSignal) => Promise<Duplex>

/** The input of a program, connected while something is written: most are told nothing for hours. */
export class ContainerInput {
  readonly #attach: Attach
  #input: Writable | null = null
  #idle: NodeJS.Timeout | null = null
  #over = new AbortController()

  constructor(attach: Attach) {
    this.#attach = attach
  }

  /** Returns false if the program doesn't read its input. */
  write(text: string): boolean {
    const input = (this.#input ??= this.#connected())
    if (!input.writable || input.writableLength > INPUT_MAX) return false
    this.#idle?.refresh()
    input.write(text)
    return true
  }

  /** What was not sent yet is lost. */
  close(): void {
    this.#over.abort()
    this.#over = new AbortController()
    this.#forget()
  }

  #connected(): Writable {
    const { signal } = this.#over
    const input = new PassThrough()
    this.#idle = setTimeout(() => {
      this.#forget()
      input.end()
    }, IDLE_MS).unref()
    this.#attach(signal)
      .then((socket) => pipeline(input, socket, { signal }))
      // The program's log tells what became of it.
      .catch(() => undefined)
      .finally(() => {
        if (this.#input === input) this.#forget()
        input.destroy()
      })
    return input
  }

  #forget(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    this.#input = null
  }
}
