import { setTimeout as wait } from 'node:timers/promises'
import type { Refusal } from '../../../host/refusal.ts'
import type { SurvivorSearch } from '../programs/driver.ts'
import { EngineFault, type EngineSettings } from './engine.ts'
import { searchRefusalOf } from './engine-refusals.ts'

/** Pauses in ms, of which the last repeats. */
const AGAIN_MS = [500, 1_000, 2_000, 5_000, 10_000]

/** Looks again until the engine answers once: it may be away when the service starts. */
export class EngineSearch implements SurvivorSearch {
  readonly #find: () => Promise<void>
  readonly #settings: EngineSettings
  readonly #done = Promise.withResolvers<void>()
  readonly #closed = new AbortController()
  #isDone = false
  #missing: Refusal | null = null
  #looking: Promise<void> | null = null

  constructor(find: () => Promise<void>, settings: EngineSettings) {
    this.#find = find
    this.#settings = settings
  }

  get missing(): Refusal | null {
    return this.#missing
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Goes on in the background if this resolves to a fault. */
  async begin(): Promise<Refusal | null> {
    await this.look()
    if (!this.#isDone) void this.#again()
    return this.#missing
  }

  async look(): Promise<void> {
    if (this.#isDone) return
    await (this.#looking ??= this.#look().finally(() => (this.#looking = null)))
  }

  close(): void {
    this.#closed.abort()
  }

  async #again(): Promise<void> {
    const { signal } = this.#closed
    for (let at = 0; !this.#isDone && !signal.aborted; at++) {
      const pause = AGAIN_MS[Math.min(at, AGAIN_MS.length - 1)]
      await wait(pause, undefined, { ref: false, signal }).catch(() => undefined)
      if (!signal.aborted) await this.look()
    }
  }

  async #look(): Promise<void> {
    try {
      await this.#find()
    } catch (error) {
      const fault = error instanceof EngineFault ? error : new EngineFault(0, String(error))
      this.#missing = searchRefusalOf(fault, this.#settings)
      return
    }
    this.#isDone = true
    this.#missing = null
    this.#done.resolve()
  }
}
