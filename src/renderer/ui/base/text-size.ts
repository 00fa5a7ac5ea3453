/** Scales pixels to the user's text size, where rem is not available: placed rows, terminals, canvases. */
export const atTextSize = (pixels: number): number =>
  (pixels * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16
