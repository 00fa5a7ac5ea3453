/** When Electron is ready; `any` where a test does not look at that. Tests only. */
export const phase: { now: 'any' | 'before' | 'ready' } = { now: 'any' }

/** Throws as Electron does where something is used before it is ready. */
export function onlyOnceReady(what: string): void {
  if (phase.now === 'before') throw new Error(`${what} cannot be used before the app is ready`)
}

/** Throws as Electron does, or where it would do nothing without a word, once it is ready. */
export function onlyUntilReady(what: string): void {
  if (phase.now === 'ready') throw new Error(`${what} has to be called before the app is ready`)
}
