import type { Stop } from '../../contract/bridge/bridge.ts'

/** A message between the panel and the service it started. `startAgain`: the servers that run are started at its next start. */
export type ToService =
  | { type: 'local-secret'; secret: string }
  | { type: 'stop'; startAgain?: true }
  | { type: 'proxy'; id: number; ways: string }

/** The built-in service as a running process. */
export interface ServiceProcess {
  send(message: ToService): void
  onMessage(listener: (message: unknown) => void): Stop
  /** Called once when the process has ended, with the last words it wrote. */
  onExit(listener: (how: { code: number | null; lastWords: string }) => void): Stop
  /** Ends it without asking, for when it does not stop by itself. */
  kill(): void
  /** Whether it runs on when the panel ends: in the background, apart from it. */
  readonly outlives?: boolean
  /** The version of the program that runs it, where it ran in the background already. */
  readonly foundVersion?: string | null
  /** Lets go of one that outlives the panel, and ends another one. Not there where none outlives it. */
  leave?(): void
}

/**
 * Starts the built-in service: `fork` in Node, `utilityProcess` in Electron (where the runAsNode fuse is off and `fork`
 * does not work).
 */
export interface ServiceLauncher {
  launch(args: string[]): ServiceProcess
}

/**
 * How Node is to run the service. V8 lets its space for new objects grow to many times this while a server prints fast or
 * a large file comes: the service's memory is then garbage that nobody has collected yet, and what that holds outside of
 * the heap (64 KiB for every read of a connection) makes V8 collect the whole heap again and again, on threads that the
 * upload needs. Measured with 500 MiB: 1,148 ms at 1 MiB, 1,619 ms at 8. What outlives that space may grow by 60 % until
 * it is looked through; V8's own rule is up to four times as much.
 */
export const SERVICE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--heap-growing-percent=60']
