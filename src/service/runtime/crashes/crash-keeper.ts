import type { LinePosition } from '../console/line-id.ts'
import type { CrashRecords, KeptCrash } from './crash-records.ts'
import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'
import type { ProcessExit } from '../programs/driver.ts'
import { LastLines, titleOf } from './last-lines.ts'
import { Refusal } from '../../../host/refusal.ts'
import { StartFailure } from './start-failure.ts'
import type { RefusalText } from '../../../contract/messages/refusals/index.ts'

const OVER_MEMORY: ExplainedCrash = { cause: 'out-of-memory', facts: { where: 'container' }, evidence: '' }

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

  get crash(): KeptCrash | null {
    return this.#crash
  }

  began(from: LinePosition): void {
    this.#from = from
    this.#lines.whyEnded(null)
  }

  said(lines: readonly string[]): void {
    this.#lines.push(lines)
  }

  /** Returns the title of the crash; null if unknown. `ending`: null if it never ran. `to`: last line of the run. `error`: why it couldn't start. */
  crashed(ending: Partial<ProcessExit> | null, to: LinePosition, error?: unknown): RefusalText | null {
    const exitCode = ending?.exitCode ?? null
    const errors = this.#lines.errors()
    const told = this.#lines.whyEnded(exitCode)
    const why = error instanceof StartFailure ? error.crash : ending?.isOverMemory ? OVER_MEMORY : told
    const { evidence = '' } = why ?? {}
    const isSaid = evidence === '' || errors.some((line) => line.includes(evidence))
    const lines = isSaid ? errors : [evidence, ...errors].slice(0, 4)
    // It never ran: why not is all there is to say.
    if (!why && error instanceof Refusal) lines.splice(0, Infinity, error.message)
    this.#crash = {
      ...(why ?? { cause: null, facts: {}, evidence: '' }),
      ...{ at: new Date().toISOString(), exitCode, lines, from: this.#from ?? to, to },
    }
    // A full disk may be the cause of the crash; then the record is kept in memory only.
    try {
      this.#records.write(this.#serverId, this.#crash)
    } catch {
      // Forgotten when the service restarts.
    }
    return titleOf(why)
  }

  /** Call when online, or after an intended stop. */
  over(): void {
    this.#lines.whyEnded(null)
    this.#crash = null
    this.#records.forget(this.#serverId)
  }
}
