import type { HistoryState, ServerRef } from '../../../contract/bridge/values.ts'
import type { Problem } from '../../core/bridge.ts'
import { ConsoleStream } from './lines/console-stream.ts'
import { LineList, type Entry } from './lines/line-list.ts'

/** Entries that are held: a burst is longer than what is shown, and all but its end is let go. */
const HELD = 200

/** The last lines of a console, as they happen. It listens from `start` until what that answers is called. */
export class LastLines {
  readonly #server: ServerRef
  readonly #count: number
  #entries = $state.raw<readonly Entry[] | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #history = $state.raw<HistoryState>({ read: false, problem: null })
  #askingAgain = $state(false)
  #stream: ConsoleStream | null = null

  /** @param count lines that are shown */
  constructor(server: ServerRef, count: number) {
    this.#server = server
    this.#count = count
  }

  /** Null until they were read. */
  get value(): readonly Entry[] | null {
    return this.#entries
  }
  get problem(): Problem | null {
    return this.#problem
  }
  /** Whether all that was written before was read. */
  get history(): HistoryState {
    return this.#history
  }
  get askingAgain(): boolean {
    return this.#askingAgain
  }
  /** They follow the server: as long as they are read they are of now. */
  readonly asOf = null

  async again(): Promise<void> {
    this.#askingAgain = true
    await this.#stream?.watch()
    this.#askingAgain = false
  }

  start(): () => void {
    let list = new LineList()
    let due = 0
    // Once a frame, however fast they come.
    const show = () => {
      due ||= requestAnimationFrame(() => {
        due = 0
        this.#entries = list.tail(this.#count)
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
