import type { Readable } from 'node:stream'
import { z } from 'zod'
import { LineSplitter } from '../programs/line-splitter.ts'
import type { Engine } from './engine.ts'

const Died = z.object({
  Actor: z.object({ ID: z.string(), Attributes: z.object({ exitCode: z.string().nullish() }).nullish() }),
})

/** Tells when containers of an engine end, by one connection for all of them. */
export class ContainerEnds {
  readonly #engine: Engine
  readonly #watchers = new Map<string, (exitCode: number) => void>()
  readonly #closed = new AbortController()
  #listening: Promise<void> | null = null

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Resolves once it listens: what ends from then on is told. Rejects with EngineFault. */
  ready(): Promise<void> {
    return (this.#listening ??= this.#listen().catch((error: unknown) => {
      this.#listening = null
      throw error
    }))
  }

  /** Resolves with its exit code once it has ended; with 0 if nobody knows, as the engine is gone. Ask again for the same one to replace it. */
  of(containerId: string): Promise<number> {
    return new Promise((resolve) => this.#watchers.set(containerId, resolve))
  }

  forget(containerId: string): void {
    this.#watchers.delete(containerId)
  }

  close(): void {
    this.#closed.abort()
  }

  async #listen(): Promise<void> {
    const filters = JSON.stringify({ type: ['container'], event: ['die'] })
    void this.#read(await this.#engine.stream('/events', { filters }, this.#closed.signal))
  }

  async #read(events: Readable): Promise<void> {
    const lines = new LineSplitter()
    try {
      for await (const chunk of events as AsyncIterable<Buffer>)
        for (const line of lines.push(chunk)) {
          const { ID, Attributes } = Died.parse(JSON.parse(line)).Actor
          this.#watchers.get(ID)?.(Number(Attributes?.exitCode) || 0)
        }
    } catch {
      // Told as the end of all: each is looked at.
    } finally {
      this.#listening = null
      events.destroy()
      for (const tell of this.#watchers.values()) tell(0)
    }
  }
}
