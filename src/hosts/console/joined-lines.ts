import { parseLineId } from '../../contract/rules/line-ids.ts'
import type { ConsoleMemory } from '../base/adapter.ts'
import { LineLog } from './line-log.ts'
import { beginIn, endIn, keyOf } from './log-join.ts'

/** Lines shown of a console that is opened for the first time. */
const FIRST_LINES = 2000
/** Lines added at once after a break; more is a gap. */
const FILL_MOST = 15_000
const KNOWN_LINES = 500

/** Lines of one console, which go on after a break where the known ones end. */
export class JoinedLines {
  readonly log: LineLog
  /** Of an earlier run, until the first lines are joined to it. */
  #remembered: readonly string[]

  private constructor(log: LineLog, remembered: readonly string[]) {
    this.log = log
    this.#remembered = remembered
  }

  static async open(memory: ConsoleMemory, serverId: string): Promise<JoinedLines> {
    const held = await memory.newest(serverId).catch(() => null)
    return new JoinedLines(new LineLog(held && parseLineId(held.lastId)), held?.texts ?? [])
  }

  /** Whether nothing of this console was ever seen. */
  get isNew(): boolean {
    return this.#known().length === 0
  }

  /**
   * Adds what a log file has between the last known line and the first new one. `isNextRun`: the server was started
   * since, and the known lines are all of its run before.
   */
  fill(file: readonly string[], pending: readonly string[], { isNextRun = false } = {}): void {
    const keys = file.map(keyOf)
    const known = this.#known()
    const end = known.length > 0 ? endIn(keys, known) : null
    // Unknown: nothing was ever seen, or another file was begun meanwhile.
    const start = end ?? (isNextRun ? 0 : Math.max(0, file.length - FIRST_LINES))
    const to = beginIn(keys, start, pending.map(keyOf))
    const from = Math.max(start, to - FILL_MOST)
    if (known.length > 0 && ((end === null && !isNextRun) || from > start)) this.log.miss()
    this.log.add(file.slice(from, to), { isNow: false })
    this.log.add(pending)
    this.#remembered = []
  }

  /** Adds lines of which the first may be known; a gap where none is. */
  repeat(pending: readonly string[]): void {
    if (this.continue(pending)) return
    if (!this.isNew && pending.length > 0) this.log.miss()
    this.log.add(pending)
    this.#remembered = []
  }

  /** Adds lines of which the first are known; does nothing and returns false where none is. */
  continue(pending: readonly string[]): boolean {
    const known = this.#known()
    const end = known.length > 0 ? endIn(pending.map(keyOf), known) : null
    if (end === null) return false
    this.log.add(pending.slice(end))
    this.#remembered = []
    return true
  }

  #known(): string[] {
    return [...this.#remembered, ...this.log.newest(KNOWN_LINES)].slice(-KNOWN_LINES).map(keyOf)
  }
}
