import type { CallName } from '../../contract/bridge/calls.ts'
import type { Outcome } from '../../contract/bridge/problem.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import type { EventMessage } from '../message.ts'

const FIRST = ['rail.read', 'settings.read', 'app.info'] satisfies CallName[]
/** Fetch the servers too for this many connections. */
const FIRST_LISTS = 2
/** Buffered events before the page listens; beyond this the page asks itself. */
const HELD_MOST = 100
/** How long after its first call a page may still use prefetched answers, in ms. */
const TAKEN_WITHIN = 10_000

type Ask = (name: CallName, input?: unknown) => Promise<Outcome<unknown>>

/** Prefetches a page's first calls. Later events are buffered and delivered after the answers the page took. */
export class Ahead {
  readonly #ask: Ask
  readonly #tell: (event: EventMessage) => void
  readonly #answers = new Map<string, Promise<Outcome<unknown>>>()
  #held: EventMessage[] | null = []
  #isTaken = false

  constructor(ask: Ask, tell: (event: EventMessage) => void) {
    this.#ask = ask
    this.#tell = tell
    for (const name of FIRST) void this.#askFor(name)
    // The page sees this answer later than we do.
    void this.#askFor('connections.list').then((listed) => {
      if (!listed.ok) return
      for (const { id: connectionId } of (listed.value as Connection[]).slice(0, FIRST_LISTS))
        void this.#askFor('view.read', { view: 'servers.list', connectionId })
    })
  }

  #askFor(name: CallName, input?: unknown): Promise<Outcome<unknown>> {
    const answer = this.#ask(name, input)
    this.#answers.set(questionOf(name, input), answer)
    return answer
  }

  take(name: CallName, input: unknown): Promise<Outcome<unknown>> | null {
    // The page listens before its first call.
    if (!this.#isTaken) {
      setTimeout(() => this.#release())
      setTimeout(() => this.#answers.clear(), TAKEN_WITHIN)
    }
    this.#isTaken = true
    // Input can contain a whole file, so don't serialize it needlessly.
    if (this.#answers.size === 0) return null
    const question = questionOf(name, input)
    const answer = this.#answers.get(question) ?? null
    this.#answers.delete(question)
    return answer
  }

  told(event: EventMessage): void {
    if (!this.#held) {
      this.#answers.clear()
      this.#tell(event)
      return
    }
    // No event after a taken answer may be missing; the page listens in a moment.
    if (this.#isTaken || this.#held.length < HELD_MOST) this.#held.push(event)
    else this.lost()
  }

  lost(): void {
    this.#answers.clear()
    this.#held &&= []
  }

  #release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const event of held) this.told(event)
  }
}

const questionOf = (name: CallName, input: unknown) => `${name} ${JSON.stringify(input)}`
