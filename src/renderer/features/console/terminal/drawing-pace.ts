/** Lines per ms that count as a rush, on a smooth page and on a lagging one. */
const RUSH = { inTime: 5, late: 0.2 }
const PAUSE = { least: 45, most: 250 }
/** A frame after a draw is late from this many ms: at 60 Hz, one was missed. */
const LATE = 25
/** Pause factors per late and timely frame; in balance at one late frame in twenty. */
const GROWS = 2
const SHRINKS = 0.965
const FORGOTTEN = 1000

/**
 * How often to draw, in ms. During a rush, drawing at 60 Hz without a GPU costs more than parsing; late frames
 * lengthen the pauses.
 */
export class DrawingPace {
  #drawnAt = -Infinity
  #drawnLines = 0
  #pause = PAUSE.least

  /** Ms to wait before drawing; 0: draw now (recorded). `lines`: total so far. */
  wait(now: number, lines: number): number {
    const since = now - this.#drawnAt
    if (since > FORGOTTEN) this.#pause = PAUSE.least
    const rush = this.#pause > PAUSE.least ? RUSH.late : RUSH.inTime
    if (since < this.#pause && lines - this.#drawnLines > since * rush) return this.#pause - since
    this.#drawnAt = now
    this.#drawnLines = lines
    return 0
  }

  nextFrame(now: number): void {
    const took = now - this.#drawnAt
    // Hidden pages have no frames.
    if (took > FORGOTTEN) return
    const pause = this.#pause * (took > LATE ? GROWS : SHRINKS)
    this.#pause = Math.min(PAUSE.most, Math.max(PAUSE.least, pause))
  }
}
