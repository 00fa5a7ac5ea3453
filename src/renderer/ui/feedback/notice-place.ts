const CONTROLS = 'button, a[href], input, select, textarea'
/** High enough to leave a bar at the bottom free, in pixels. */
const ABOVE_BARS = 56
const EDGE = 16
const STEP = 64
const STEPS = 5

/** From the lower right corner of the area, in pixels. */
export interface NoticePlace {
  right: number
  bottom: number
}

export const USUAL_PLACE: NoticePlace = { right: EDGE, bottom: ABOVE_BARS }

/** Whether a notice covers a control where it is now. */
export const coversControl = (notice: HTMLElement): boolean =>
  controlsBeside(notice).some((rect) => overlap(rect, notice.getBoundingClientRect()))

/**
 * The lowest place, from right to left, where a notice covers no control; the usual one if there is none. `corner`:
 * an element at the lower edge of the area, as wide as it.
 */
export function freePlace(notice: HTMLElement, corner: HTMLElement): NoticePlace {
  const { width, height } = notice.getBoundingClientRect()
  const { width: room, right: edge, bottom: ground } = corner.getBoundingClientRect()
  const covered = controlsBeside(notice)
  const leftmost = Math.max(EDGE, room - width - EDGE)
  for (let step = 0; step < STEPS; step++)
    for (const right of [EDGE, Math.round(leftmost / 2), leftmost]) {
      const bottom = ABOVE_BARS + step * STEP
      const box = new DOMRect(edge - right - width, ground - bottom - height, width, height)
      if (box.top > 0 && !covered.some((rect) => overlap(rect, box))) return { right, bottom }
    }
  return USUAL_PLACE
}

const controlsBeside = (notice: HTMLElement): DOMRect[] =>
  [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !notice.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)

const overlap = (a: DOMRect, b: DOMRect): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
