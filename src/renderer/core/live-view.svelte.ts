import { createSubscriber } from 'svelte/reactivity'
import type { ViewRef } from '../../contract/bridge/passed.ts'
import type { View } from '../../contract/bridge/values.ts'
import { viewKey } from '../../contract/rules/view-key.ts'
import {
  asProblem,
  call,
  on,
  onReach,
  readView,
  type Problem,
  type ProblemData,
  type ViewId,
  type ViewInput,
  type ViewValue,
} from './bridge.ts'

/** How a view stands: nothing yet, something fresh, something old, or nothing and a reason why. */
export type ViewState = 'loading' | 'shown' | 'stale' | 'failed'

/** How many of this window show each view: main tries what it cannot read again for as long as somebody does. */
const shown = new Map<string, number>()

/**
 * A view of main's cache, held for as long as something on the screen reads it: the first reader asks for the value
 * and listens for newer ones, after the last one it stops. Main is the cache; this is only a window on it.
 */
export class LiveView<V extends ViewId> {
  readonly view: V
  readonly input: ViewInput<V>
  readonly #key: string
  #now = $state.raw<View<ViewValue<V>>>({ value: null, asOf: null, stale: false, problem: null })
  #askingAgain = $state(false)
  #asking: Promise<void> | null = null
  /** How often main told the view by itself. */
  #told = 0
  #subscribe: () => void

  constructor(view: V, input: ViewInput<V>) {
    this.view = view
    this.input = input
    this.#key = viewKey({ view, ...input })
    this.#subscribe = createSubscriber(() => this.#start())
  }

  /** The last value known, or null where it was never read. */
  get value(): ViewValue<V> | null {
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

  /** The ETag of the value, where the service gave one. */
  get tag(): string | null {
    this.#subscribe()
    return this.#now.tag ?? null
  }

  get kind(): ViewState {
    this.#subscribe()
    if (this.#now.value === null) return this.#now.problem ? 'failed' : 'loading'
    return this.#now.stale ? 'stale' : 'shown'
  }

  /** Whether the service itself is asked now, because somebody wanted it. */
  get askingAgain(): boolean {
    return this.#askingAgain
  }

  /**
   * Holds it as if something on the screen read it, as while the part that shows it is loaded; answers what lets go. Who
   * reads it meanwhile asks for nothing anew.
   */
  hold(): () => void {
    return $effect.root(() => {
      $effect.pre(() => this.#subscribe())
    })
  }

  /** Reads it before it is shown: held until there is a value, or a reason why there is none. Resolves then. */
  prepare(): Promise<void> {
    return new Promise((resolve) => {
      const letGo = $effect.root(() => {
        $effect(() => {
          // Not within the effect that it ends.
          if (this.kind === 'loading') return
          queueMicrotask(() => {
            letGo()
            resolve()
          })
        })
      })
    })
  }

  /** Asks main again. Never throws: what goes wrong is in `problem`. */
  read(): Promise<void> {
    this.#asking ??= this.#ask(false).finally(() => (this.#asking = null))
    return this.#asking
  }

  /** Asks the service itself, whatever main remembers of it, and waits for its answer. Never throws. */
  async again(): Promise<void> {
    this.#askingAgain = true
    await this.#ask(true)
    this.#askingAgain = false
  }

  async #ask(again: boolean): Promise<void> {
    const before = this.#told
    try {
      const answer = await readView(this.view, this.input, again)
      // Answers and events come by different ways: what was told meanwhile may be newer than what was asked for before.
      const isOlder = this.#told !== before && (answer.asOf ?? '') <= (this.#now.asOf ?? '')
      if (!isOlder) this.#now = answer
    } catch (thrown) {
      const problem: Problem = asProblem(thrown)
      this.#now = { ...this.#now, stale: true, problem }
    }
    // Asking says to main that it is shown, and it may no longer be: an act that was under way asks when it ends.
    if (!shown.has(this.#key)) this.#leave()
  }

  #leave(): void {
    const left = { view: this.view, ...this.input } as unknown as ViewRef
    void call('view.leave', left).catch(() => undefined)
  }

  #start(): () => void {
    const stopEvents = on('view', (event) => {
      if (event.view !== this.view || viewKey(event) !== this.#key) return
      this.#told++
      this.#now = event.now as View<unknown> as View<ViewValue<V>>
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
