import type { EventName, Events } from '../../contract/bridge/events.ts'

/** An open window or browser tab, as main sees it. */
export interface WindowLink {
  send<E extends EventName>(event: E, value: Events[E]): void
  /** Bytes the window has not taken yet; 0 if unknown. */
  pressure(): number
  /** Own windows; a browser has none. */
  several?: {
    /** False if no more windows can open. */
    tearOff(): boolean
    putBack(): void
  }
}
