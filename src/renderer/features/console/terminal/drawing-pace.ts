/** Lines a millisecond from which on they rush by, on a page whose frames come in time and on one that lags. */
const RUSH = { inTime: 5, late: 0.2 }
/** Milliseconds between two drawings while lines rush by: as many at least, and at most. */
const PAUSE = { least: 45, most: 250 }
/** A frame behind a drawing that comes later than after so many milliseconds is late: at 60 a second one was missed. */
const LATE = 25
/** How the pause grows with a late frame, and shrinks with one in time: one in twenty is late where both are even. */
const GROWS = 2
const SHRINKS = 0.965
/** After so many milliseconds without a drawing nothing is known of how long one takes now. */
const FORGOTTEN = 1000

/**
 * How often rows are drawn. While lines rush by nobody can read them, and without a GPU drawing them sixty times a second
 * costs more than taking them in. Where even that keeps the next frame waiting, as of a computer with much else to do or with
 * many consoles in sight, the pauses grow until it does not. Times are in ms of one clock.
 */
export class DrawingPace {
  #drawnAt = -Infinity
  #drawnLines = 0
  #pause = PAUSE.least

  /** How long to wait before drawing, in ms; 0 where it is done now, which is noted. `lines`: how many there were so far. */
  wait(now: number, lines: number): number {
    const since = now - this.#drawnAt
    if (since > FORGOTTEN) this.#pause = PAUSE.least
    const rush = this.#pause > PAUSE.least ? RUSH.late : RUSH.inTime
    if (since < this.#pause && lines - this.#drawnLines > since * rush) return this.#pause - since
    this.#drawnAt = now
    this.#drawnLines = lines
    return 0
  }

  /** The frame after a drawing has come. */
  nextFrame(now: number): void {
    const took = now - this.#drawnAt
    // A page that nobody sees has no frames.
    if (took > FORGOTTEN) return
    const pause = this.#pause * (took > LATE ? GROWS : SHRINKS)
    this.#pause = Math.min(PAUSE.most, Math.max(PAUSE.least, pause))
  }
}
