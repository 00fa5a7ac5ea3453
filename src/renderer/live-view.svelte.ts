import { createSubscriber } from 'svelte/reactivity'
import type { View, ViewKind, Views } from '../contract/bridge/values.ts'
import { asProblem, call, on, onReach, type CallInput, type Problem, type ProblemData } from './bridge.ts'

type Value<K extends ViewKind> = Views[K]['value']

/** How a view stands: nothing yet, something fresh, something old, or nothing and a reason why. */
export type ViewState = 'loading' | 'shown' | 'stale' | 'failed'

/** How many of this window show each view: main tries what it cannot read again for as long as somebody does. */
const shown = new Map<string, number>()

/**
 * A view of main's cache, held for as long as something on the screen reads it: the first reader asks for the value
 * and listens for newer ones, after the last one it stops. Main is the cache; this is only a window on it.
 */
export class LiveView<K extends ViewKind> {
  readonly view: K
  readonly input: Views[K]['input']
  #now = $state.raw<View<Value<K>>>({ value: null, asOf: null, stale: false, problem: null })
  #asking: Promise<void> | null = null
  #subscribe: () => void

  constructor(view: K, input: Views[K]['input']) {
    this.view = view
    this.input = input
    this.#subscribe = createSubscriber(() => this.#start())
  }

  /** The last value known, or null where it was never read. */
  get value(): Value<K> | null {
    this.#subscribe()
    return this.#now.value
  }

  /** When the value was read from the service (ISO 8601). */
  get asOf(): string | null {
    this.#subscribe()
    return this.#now.asOf
  }

  /** Whether something made the value old, or the last refresh failed. */
  get stale(): boolean {
    this.#subscribe()
    return this.#now.stale
  }

  /** Why the last refresh failed. */
  get problem(): ProblemData | null {
    this.#subscribe()
    return this.#now.problem
  }

  get kind(): ViewState {
    this.#subscribe()
    if (this.#now.value === null) return this.#now.problem ? 'failed' : 'loading'
    return this.#now.stale ? 'stale' : 'shown'
  }

  /** Asks main again. Never throws: what goes wrong is in `problem`. */
  read(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null))
    return this.#asking
  }

  async #ask(): Promise<void> {
    try {
      // `view.<kind>` takes exactly the input of that kind; the compiler cannot follow the template.
      const name = `view.${this.view}` as 'view.server'
      const answered: View<unknown> = await call(name, this.input as CallInput<'view.server'>)
      this.#now = answered as View<Value<K>>
    } catch (thrown) {
      const problem: Problem = asProblem(thrown)
      this.#now = { ...this.#now, stale: true, problem }
    }
    // Asking says to main that it is shown, and it may no longer be: an act that was under way asks when it ends.
    if (!shown.has(this.#key)) this.#leave()
  }

  get #key(): string {
    return JSON.stringify([this.view, this.input.connectionId, serverOf(this.input), pathOf(this.input)])
  }

  #leave(): void {
    void call('view.leave', { view: this.view, ...this.input }).catch(() => undefined)
  }

  #start(): () => void {
    const stopEvents = on('view', (event) => {
      if (event.view === this.view && sameInput(event.input, this.input)) {
        const now: View<unknown> = event.now
        this.#now = now as View<Value<K>>
      }
    })
    let reach: 'not-yet' | 'reached' | 'lost' = 'not-yet'
    const stopReach = onReach((reached) => {
      // Events of the time in between are lost, so what is shown may be old.
      if (reached && reach === 'lost') void this.read()
      if (reached) reach = 'reached'
      else if (reach === 'reached') reach = 'lost'
    })
    void this.read()
    const key = this.#key
    shown.set(key, (shown.get(key) ?? 0) + 1)
    return () => {
      stopEvents()
      stopReach()
      const others = (shown.get(key) ?? 1) - 1
      shown.set(key, others)
      if (others > 0) return
      shown.delete(key)
      this.#leave()
    }
  }
}

function sameInput(a: Views[ViewKind]['input'], b: Views[ViewKind]['input']): boolean {
  return a.connectionId === b.connectionId && serverOf(a) === serverOf(b) && pathOf(a) === pathOf(b)
}

function serverOf(input: Views[ViewKind]['input']): string | null {
  return 'serverId' in input ? input.serverId : null
}

function pathOf(input: Views[ViewKind]['input']): string | null {
  return 'path' in input ? input.path : null
}
