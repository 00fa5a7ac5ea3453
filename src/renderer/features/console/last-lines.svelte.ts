import type { HistoryState, ServerRef } from '../../../contract/bridge/values.ts'
import type { Problem } from '../../core/bridge.ts'
import { ConsoleStream } from './lines/console-stream.ts'
import { LineList, type Entry } from './lines/line-list.ts'

/** Buffer limit: a burst exceeds what is shown, and only its end is kept. */
const HELD = 200

/** A live tail of a console. `start` returns a stop function. */
export class LastLines {
  readonly #server: ServerRef
  readonly #count: number
  /** A new object for each change of the list. */
  #drawn = $state.raw<{ list: LineList } | null>(null)
  // Derived: the service's own lines follow a language change.
  #entries = $derived.by((): readonly Entry[] | null => this.#drawn?.list.tail(this.#count) ?? null)
  #problem = $state.raw<Problem | null>(null)
  #history = $state.raw<HistoryState>({ read: false, problem: null })
  #askingAgain = $state(false)
  #stream: ConsoleStream | null = null

  constructor(server: ServerRef, count: number) {
    this.#server = server
    this.#count = count
  }

  get value(): readonly Entry[] | null {
    return this.#entries
  }
  get problem(): Problem | null {
    return this.#problem
  }
  get history(): HistoryState {
    return this.#history
  }
  get askingAgain(): boolean {
    return this.#askingAgain
  }
  /** Live, so never stale. */
  readonly asOf = null

  async again(): Promise<void> {
    this.#askingAgain = true
    await this.#stream?.watch()
    this.#askingAgain = false
  }

  start(): () => void {
    let list = new LineList()
    let due = 0
    const show = () => {
      due ||= requestAnimationFrame(() => {
        due = 0
        this.#drawn = { list }
      })
    }
    const stream = new ConsoleStream(
      this.#server,
      {
        pieces(pieces) {
          list.append(pieces)
          if (list.length > HELD) list.shift(list.length - HELD)
          show()
        },
        cut() {
          list = new LineList()
          show()
        },
        state: () => undefined,
        history: (history) => {
          this.#history = history
        },
        problem: (problem) => {
          this.#problem = problem
          if (problem === null) show()
        },
      },
      HELD,
    )
    this.#stream = stream
    stream.start()
    return () => {
      cancelAnimationFrame(due)
      stream.stop()
    }
  }
}
