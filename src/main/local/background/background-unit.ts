export interface BackgroundUnit {
  /** Registers without starting. Rejects, changing nothing, if unsupported. */
  prepare(): Promise<void>
  /** No-op if running; resolves once the system has begun. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Unregisters; a running service continues. */
  remove(): Promise<void>
}
