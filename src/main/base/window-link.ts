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
