/** Where the time comes from. Milliseconds since 1970; tests hold it in their hands. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A time as the API writes it: ISO 8601 in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()
