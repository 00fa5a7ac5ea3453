import type { EventName, Events } from '../../contract/bridge/events.ts'

/** One open window (or browser tab), as main sees it. */
export interface WindowLink {
  send<E extends EventName>(event: E, value: Events[E]): void
  /** Bytes that wait to be taken by the window. Zero where that cannot be known. */
  pressure(): number
  /** Windows of our own; a browser has none. */
  several?: {
    /** False where no more windows open. */
    tearOff(): boolean
    putBack(): void
  }
}
