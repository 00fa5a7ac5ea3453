import type { CallName } from '../../contract/bridge/calls.ts'
import type { Outcome } from '../../contract/bridge/problem.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import type { EventMessage } from '../message.ts'

/** What every page asks first. */
const FIRST = ['rail.read', 'settings.read', 'app.info'] satisfies CallName[]
/** Of so many connections it asks for the servers with that. */
const FIRST_LISTS = 2
/** Events that are kept for a page that does not ask yet. Of more, it asks for itself. */
const HELD_MOST = 100
/** How long after its first question a page may still take an answer, in ms: by then it has asked what it asks first. */
const TAKEN_WITHIN = 10_000

type Ask = (name: CallName, input?: unknown) => Promise<Outcome<unknown>>

/**
 * What a page asks first is asked while its script is still on its way, and it takes these answers when it asks. They are
 * as good as its own: events are kept until it listens, and told behind the answers that it took.
 */
export class Ahead {
  readonly #ask: Ask
  readonly #tell: (event: EventMessage) => void
  readonly #answers = new Map<string, Promise<Outcome<unknown>>>()
  /** Null once the page listens. */
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

  /** The page asks: what was asked for it already, once. Null where it has to ask. */
  take(name: CallName, input: unknown): Promise<Outcome<unknown>> | null {
    // It listens before it asks for the first time.
    if (!this.#isTaken) {
      setTimeout(() => this.#release())
      setTimeout(() => this.#answers.clear(), TAKEN_WITHIN)
    }
    this.#isTaken = true
    // A question can hold a whole file: it is written out only where it may be one of these.
    if (this.#answers.size === 0) return null
    const question = questionOf(name, input)
    const answer = this.#answers.get(question) ?? null
    this.#answers.delete(question)
    return answer
  }

  /** Main tells something: nothing that was asked before and not taken yet holds behind it. */
  told(event: EventMessage): void {
    if (!this.#held) {
      this.#answers.clear()
      this.#tell(event)
      return
    }
    // Behind an answer that the page has taken nothing may be missing; it listens in a moment.
    if (this.#isTaken || this.#held.length < HELD_MOST) this.#held.push(event)
    else this.lost()
  }

  /** Answers and events are lost: the page asks for itself. */
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
