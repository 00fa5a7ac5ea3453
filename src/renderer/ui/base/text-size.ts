/**
 * The pixels that a length takes at the size of text that a person has asked for; `pixels` is what it takes at the usual
 * one. For what is not drawn by styles, where rem does the same: rows that are placed one by one, terminals, canvases.
 */
export const atTextSize = (pixels: number): number =>
  (pixels * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16
