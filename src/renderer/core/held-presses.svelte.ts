const MOST = 50
const TYPES = ['click', 'contextmenu', 'keydown', 'dragstart'] as const

/** Holds input for a part that is still loading and replays it there once loaded. */
export class HeldPresses {
  readonly #isFor: (event: Event) => boolean
  readonly #held: { event: Event; target: EventTarget | null }[] = []
  #isThere = false
  count = $state(0)

  constructor(isFor: (event: Event) => boolean) {
    this.#isFor = isFor
  }

  readonly within = (element: EventTarget): (() => void) => {
    for (const type of TYPES) element.addEventListener(type, this.#hold, { capture: true })
    return () => {
      for (const type of TYPES) element.removeEventListener(type, this.#hold, { capture: true })
    }
  }

  readonly #hold = (event: Event): void => {
    if (this.#isThere || !this.#isFor(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // A drag can't be replayed.
    if (event.type !== 'dragstart' && this.#held.length < MOST)
      this.#held.push({ event, target: event.target })
    this.count++
  }

  release(): void {
    this.#isThere = true
    for (const { event, target } of this.#held.splice(0)) press(target, event)
  }

  /** Replays keys to the focused element, one by one, because a key may move the focus. */
  async releaseKeys(): Promise<void> {
    for (let next = this.#held.shift(); next; next = this.#held.shift()) {
      this.#isThere = true
      press(document.activeElement, next.event)
      // Characters don't move the focus. A pause here would hold, and lose, an Enter that follows.
      if (isCharacter(next.event)) continue
      this.#isThere = false
      await nextFrame()
    }
    this.#isThere = true
  }

  drop(): void {
    this.#held.length = 0
  }
}

/** Skips targets that are gone; something else may be in their place. */
function press(target: EventTarget | null, event: Event): void {
  if (!(target instanceof Node) || !target.isConnected) return
  const Kind = event.constructor as new (type: string, init: EventInit) => Event
  const again = new Kind(event.type, event)
  if (target.dispatchEvent(again) && again instanceof KeyboardEvent) write(target, again.key)
}

const isCharacter = (event: Event): boolean => event instanceof KeyboardEvent && [...event.key].length === 1

/** Synthetic key events insert no text. */
function write(target: Node, key: string): void {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (!isField || [...key].length !== 1) return
  target.setRangeText(key, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
  target.dispatchEvent(new InputEvent('input', { bubbles: true, data: key, inputType: 'insertText' }))
}

const WITHOUT_LETTERS = /^(?:Arrow\w+|Home|End|Page\w+|Tab|Enter|Backspace|Delete|Escape)$/

/** True for keys an overlay handles itself rather than the browser or system. Escape closes it immediately. */
export function isOfOverlay(event: Event, close: () => void): boolean {
  if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape') close()
  return isCharacter(event) || WITHOUT_LETTERS.test(event.key)
}

const FRAMES = 20

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Waits until focus leaves `before`; false if it does not within FRAMES. */
export async function takesFocusFrom(before: Element | null): Promise<boolean> {
  for (let frame = 0; frame < FRAMES; frame++) {
    const { activeElement } = document
    if (activeElement && activeElement !== before && activeElement !== document.body) return true
    await nextFrame()
  }
  return false
}
