/** How the system runs the background service of a data folder, apart from the panel. */
export interface BackgroundUnit {
  /** Makes it known to the system, without starting it. Rejects where this system cannot; then nothing was changed. */
  prepare(): Promise<void>
  /** Starts it where it does not run; resolves once the system has begun to. */
  start(): Promise<void>
  /** Ends it without asking, for when it does not stop by itself. */
  kill(): Promise<void>
  /** The system no longer knows it. What runs is not stopped by that. */
  remove(): Promise<void>
}
