import type { CallInput, CallName, CallOutput } from './calls.ts'
import type { EventName, Events } from './events.ts'
import type { Outcome } from './problem.ts'
import type { ServerRef } from './values.ts'

/** Idempotent. */
export type Stop = () => void

/** `path` is relative to the folder it is dropped on. */
export interface PickedFile {
  file: File
  path: string
}

/** `folders`: only empty ones, which no file would create. */
export interface Upload {
  to: ServerRef & { folder: string }
  files: PickedFile[]
  folders: string[]
}

/**
 * A window's way into main, `window.panel`: Electron's IPC (src/preload) or a loopback socket (src/web/client). The
 * renderer knows nothing else about where it runs.
 */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>>
  /**
   * Queues picked files. The page can't name local paths: in Electron the preload resolves each `File`, in the browser
   * its bytes are streamed. Answers once the transfer is queued, in the browser before all bytes have arrived.
   */
  upload(upload: Upload): Promise<Outcome<{ transferId: string }>>
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop
  /** Whether main is reachable: always in Electron; in the browser, while the socket is open. */
  onReach(listener: (reached: boolean) => void): Stop
}

declare global {
  interface Window {
    /** Set before the renderer's modules run. */
    panel: Bridge
  }
}
