import { Readable } from 'node:stream'
import type { HostEvent } from './adapter.ts'

const EVENTS_MOST = 16

/** Events on their way to main. Of what it can't keep up with, only the newest of a kind is kept. */
export class EventQueue {
  readonly #late = new Map<string, HostEvent>()
  readonly #listeners = new Set<() => void>()
  readonly #out = new Readable({
    ...{ objectMode: true, highWaterMark: EVENTS_MOST },
    read: () => this.#drained(),
  })

  /** `onEnd`: nobody reads them any more. */
  constructor(onEnd: () => void) {
    this.#out.once('close', onEnd)
  }

  get events(): AsyncIterable<HostEvent> {
    return this.#out as AsyncIterable<HostEvent>
  }

  /** Lines aren't emitted then: a later one doesn't stand for those before. */
  get isFull(): boolean {
    return this.#out.readableLength >= EVENTS_MOST
  }

  emit(event: HostEvent): void {
    if (this.#out.destroyed) return
    if (this.isFull) this.#late.set(kindOf(event), event)
    else this.#out.push(event)
  }

  /** Told when there is room again. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #drained(): void {
    const late = [...this.#late.values()]
    this.#late.clear()
    for (const event of late) this.emit(event)
    for (const listener of [...this.#listeners]) listener()
  }
}

const kindOf = ({ event, data }: HostEvent): string =>
  `${event} ${data.serverId} ${event === 'changed' ? data.reads.join() : ''}`
