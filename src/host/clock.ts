export interface Clock {
  /** Unix time in ms. Can jump. */
  now(): number
  /** Monotonic ms, for durations. */
  elapsed(): number
}
