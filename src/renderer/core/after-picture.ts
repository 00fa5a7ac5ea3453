/** Longest wait after the first paint, in ms. */
const LATEST_MS = 500

/** Calls back after the next paint, when the window is idle. Never while the window is hidden. */
export function afterPicture(then: () => void): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: LATEST_MS })
      else setTimeout(then)
    }),
  )
}

let first: Promise<void> | undefined

export const firstPicture = (): Promise<void> => (first ??= new Promise(afterPicture))
