import type { LinePosition } from '../console/line-id.ts'
import type { CrashRecords, KeptCrash } from './crash-records.ts'
import { LastLines, whySentence } from './last-lines.ts'
import { StartFailure } from './start-failure.ts'

/** What is known of the runs of one server: where the last one began, what it said, and why it crashed. */
export class CrashKeeper {
  readonly #serverId: string
  readonly #records: CrashRecords
  readonly #lines = new LastLines()
  #from: LinePosition | null = null
  #crash: KeptCrash | null

  constructor(serverId: string, records: CrashRecords) {
    this.#serverId = serverId
    this.#records = records
    this.#crash = records.read(serverId)
  }

  /** Of the last run; null where it did not crash. */
  get crash(): KeptCrash | null {
    return this.#crash
  }

  /** A run begins with this line. */
  began(from: LinePosition): void {
    this.#from = from
    this.#lines.whyEnded(null)
  }

  said(lines: readonly string[]): void {
    this.#lines.push(lines)
  }

  /** The run has crashed; answers why, in a sentence. `to`: the last line of it. `error`: why it could not begin. */
  crashed(exitCode: number | null, to: LinePosition, error?: unknown): string {
    const told = this.#lines.whyEnded(exitCode)
    const why = error instanceof StartFailure ? error.crash : told
    this.#crash = {
      ...(why ?? { cause: null, facts: {}, evidence: '' }),
      ...{ at: new Date().toISOString(), exitCode, from: this.#from ?? to, to },
    }
    // A disk that is full is a reason to crash: what cannot be kept is known as long as the service runs.
    try {
      this.#records.write(this.#serverId, this.#crash)
    } catch {
      // Then it is not known after the next start of the service.
    }
    return whySentence(why)
  }

  /** The server is online, or has ended as it was told to: what was before is over. */
  over(): void {
    this.#lines.whyEnded(null)
    this.#crash = null
    this.#records.forget(this.#serverId)
  }
}
