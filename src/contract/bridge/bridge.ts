import type { CallInput, CallName, CallOutput } from './calls.ts'
import type { EventName, Events } from './events.ts'
import type { Outcome } from './problem.ts'
import type { ServerRef } from './values.ts'

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

/** `window.panel`: Electron's IPC (src/preload) or a loopback socket (src/web/client). */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>>
  /** Answers once queued, in the browser before all bytes have arrived. The page can't name local paths. */
  upload(upload: Upload): Promise<Outcome<{ transferId: string }>>
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop
  /** Whether main is reachable: always in Electron; in the browser, while the socket is open. */
  onReach(listener: (reached: boolean) => void): Stop
}

declare global {
  interface Window {
    panel: Bridge
  }
}
