import type { CallInput, CallName, CallOutput } from './calls.ts'
import type { EventName, Events } from './events.ts'
import type { Outcome } from './problem.ts'
import type { ServerRef } from './values.ts'

/** Stops a subscription. Calling it twice does nothing. */
export type Stop = () => void

/** A file that a person picked or dropped, and where it goes, relative to the folder it is dropped on. */
export interface PickedFile {
  file: File
  path: string
}

/** What is uploaded: files, and folders that would otherwise not come to be because they are empty. */
export interface Upload {
  to: ServerRef & { folder: string }
  files: PickedFile[]
  folders: string[]
}

/**
 * The way into main that a window is given as `window.panel`: by Electron's IPC (src/preload) or by a socket on loopback
 * (src/web/client). The renderer knows nothing else of where it runs.
 */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>>
  /**
   * Hands picked files over to main and queues them. No path of this computer is a value the page could make up: in
   * Electron the preload resolves each `File`, in the browser its bytes are streamed to main. Answers when the transfer is
   * queued, which in the browser is before all bytes have come.
   */
  upload(upload: Upload): Promise<Outcome<{ transferId: string }>>
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop
  /** Whether main can be reached at all: always in Electron; in the browser, while the socket stands. */
  onReach(listener: (reached: boolean) => void): Stop
}

declare global {
  interface Window {
    /** Set before the renderer's modules run. */
    panel: Bridge
  }
}
