import { EventStream, type Reader, type StreamSubscription } from './event-stream.ts'

/** The streams that are open, and what is told to all of them. */
export class EventStreams {
  readonly #open = new Set<EventStream>()

  open(watched: StreamSubscription[], reader: Reader): EventStream {
    const stream = new EventStream(watched, reader)
    this.#open.add(stream)
    stream.onEnd(() => this.#open.delete(stream))
    return stream
  }

  leaveOut(serverId: string): void {
    for (const stream of [...this.#open]) stream.leaveOut(serverId)
  }

  /** `by`: the hash of the token whose change it was, who knows of it; empty if the service did it. */
  tellChanged(serverId: string, reads: readonly string[], by: string): void {
    for (const stream of [...this.#open])
      if (stream.reader.tokenHash !== by) stream.tellChanged(serverId, reads)
  }

  standingChanged(serverId: string, accountId: string, reads: readonly string[]): void {
    for (const stream of this.#of(accountId)) stream.standingChanged(serverId, reads)
  }

  recheck(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.recheck()
  }

  end(): void {
    for (const stream of [...this.#open]) stream.end()
  }

  #of(accountId: string): EventStream[] {
    return [...this.#open].filter(({ reader }) => reader.accountId === accountId)
  }
}
