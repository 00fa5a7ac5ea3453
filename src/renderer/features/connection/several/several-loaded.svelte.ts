/** Where a run is kept across reloads. */
export const KEPT = 'power-of-several'

let isLoaded = $state(isInterrupted())

/** Whether the frame has to show what becomes of several servers: they were told something, or a reload cut that off. */
export const isSeveralLoaded = (): boolean => isLoaded

export function severalLoaded(): void {
  isLoaded = true
}

function isInterrupted(): boolean {
  try {
    return sessionStorage.getItem(KEPT) !== null
  } catch {
    return false
  }
}
