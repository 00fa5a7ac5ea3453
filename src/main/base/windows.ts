import type { EventName, Events } from '../../contract/bridge/events.ts'

export interface WindowLink {
  send<E extends EventName>(event: E, value: Events[E]): void
  /** Bytes the window has not taken yet; 0 if unknown. */
  pressure(): number
  several?: {
    tearOff(): boolean
    putBack(): void
  }
}

export type Broadcast = <E extends EventName>(event: E, value: Events[E]) => void

export class Windows {
  readonly #open = new Set<WindowLink>()

  get isAnyOpen(): boolean {
    return this.#open.size > 0
  }

  add(window: WindowLink): void {
    this.#open.add(window)
  }

  delete(window: WindowLink): void {
    this.#open.delete(window)
  }

  readonly broadcast: Broadcast = (event, value) => {
    for (const window of this.#open) window.send(event, value)
  }
}
