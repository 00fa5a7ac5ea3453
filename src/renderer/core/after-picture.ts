/** What nobody can see yet is drawn this long after the picture at the latest, in ms. */
const LATEST_MS = 500

/** Calls once the next picture stands and the window has nothing more urgent to do. Not while the window is hidden. */
export function afterPicture(then: () => void): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      // Not every browser tells when it is idle.
      if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: LATEST_MS })
      else setTimeout(then)
    }),
  )
}

let first: Promise<void> | undefined

/** Resolves once what the window draws first stands, counted from when this is asked first. */
export const firstPicture = (): Promise<void> => (first ??= new Promise(afterPicture))
