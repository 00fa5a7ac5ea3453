import type { Clock } from '../../base/retry.ts'

/** Smallest chunk under a limit, in bytes. */
const PART_LEAST = 256
const PART_MOST = 1024 * 1024

/** Limits all transfers together, in bytes per second. */
export class Limiter {
  limit: number | null = null
  readonly #clock: Pick<Clock, 'elapsed' | 'sleep'>
  #free = 0

  constructor(clock: Pick<Clock, 'elapsed' | 'sleep'>) {
    this.#clock = clock
  }

  async *pace(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        // The limit may change meanwhile.
        const { limit } = this
        if (limit === null) {
          yield at === 0 ? chunk : chunk.subarray(at)
          break
        }
        const part = Math.min(Math.max(Math.floor(limit / 4), PART_LEAST), PART_MOST)
        const piece = chunk.subarray(at, at + part)
        await this.#turn(piece.length, limit, signal)
        yield piece
        at += piece.length
      }
    }
  }

  async #turn(bytes: number, limit: number, signal: AbortSignal | undefined): Promise<void> {
    const now = this.#clock.elapsed()
    const begin = Math.max(this.#free, now)
    this.#free = begin + (bytes / limit) * 1000
    if (begin > now) await this.#clock.sleep(begin - now, signal)
  }
}
