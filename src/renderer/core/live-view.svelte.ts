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

export type ViewState = 'loading' | 'shown' | 'stale' | 'failed'

/** Readers per view in this window; main retries failed reads while there are any. */
const shown = new Map<string, number>()

/** A window on a view of main's cache. The first reader subscribes, the last one to leave unsubscribes. */
export class LiveView<V extends ViewId> {
  readonly view: V
  readonly input: ViewInput<V>
  readonly #key: string
  #now = $state.raw<View<ViewValue<V>>>({ value: null, asOf: null, stale: false, problem: null })
  #askingAgain = $state(false)
  #asking: Promise<void> | null = null
  #told = 0
  #subscribe: () => void

  constructor(view: V, input: ViewInput<V>) {
    this.view = view
    this.input = input
    this.#key = viewKey({ view, ...input })
    this.#subscribe = createSubscriber(() => this.#start())
  }

  get value(): ViewValue<V> | null {
    this.#subscribe()
    return this.#now.value
  }

  /** When the service was read (ISO 8601). */
  get asOf(): string | null {
    this.#subscribe()
    return this.#now.asOf
  }

  get stale(): boolean {
    this.#subscribe()
    return this.#now.stale
  }

  get problem(): ProblemData | null {
    this.#subscribe()
    return this.#now.problem
  }

  get tag(): string | null {
    this.#subscribe()
    return this.#now.tag ?? null
  }

  get kind(): ViewState {
    this.#subscribe()
    if (this.#now.value === null) return this.#now.problem ? 'failed' : 'loading'
    return this.#now.stale ? 'stale' : 'shown'
  }

  get askingAgain(): boolean {
    return this.#askingAgain
  }

  /** Keeps the view subscribed, for example while its part loads. Returns a release function. */
  hold(): () => void {
    return $effect.root(() => {
      $effect.pre(() => this.#subscribe())
    })
  }

  prepare(): Promise<void> {
    return new Promise((resolve) => {
      const letGo = $effect.root(() => {
        $effect(() => {
          // Outside the effect that it ends.
          if (this.kind === 'loading') return
          queueMicrotask(() => {
            letGo()
            resolve()
          })
        })
      })
    })
  }

  /** Reads from main. Never throws; see `problem`. */
  read(): Promise<void> {
    this.#asking ??= this.#ask(false).finally(() => (this.#asking = null))
    return this.#asking
  }

  /** Reads from the service, bypassing main's cache. Never throws. */
  async again(): Promise<void> {
    this.#askingAgain = true
    await this.#ask(true)
    this.#askingAgain = false
  }

  async #ask(again: boolean): Promise<void> {
    const before = this.#told
    try {
      const answer = await readView(this.view, this.input, again)
      // Replies and events use separate channels: a push received meanwhile may be newer than this reply.
      const isOlder = this.#told !== before && (answer.asOf ?? '') <= (this.#now.asOf ?? '')
      if (!isOlder) this.#now = answer
    } catch (thrown) {
      const problem: Problem = asProblem(thrown)
      this.#now = { ...this.#now, stale: true, problem }
    }
    // Reading marks the view as shown in main; undo that if its readers are gone.
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
      // Events sent while disconnected are lost, so the value may be old.
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
