import type { CallInput, CallName, CallOutput } from './calls.ts'
import type { EventName, Events } from './events.ts'
import type { Outcome } from './problem.ts'

/** Stops a subscription. Calling it twice does nothing. */
export type Stop = () => void

/**
 * The way into main that a window is given as `window.panel`: by Electron's IPC (src/preload) or by a socket on loopback
 * (src/web/client). The renderer knows nothing else of where it runs.
 */
export interface Way {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>>
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop
  /** Whether main can be reached at all: always in Electron; in the browser, while the socket stands. */
  onReach(listener: (reached: boolean) => void): Stop
}

declare global {
  interface Window {
    /** Set before the renderer's modules run. */
    panel: Way
  }
}
