/** More are not waited for: whoever presses so often sees that nothing happens. */
const MOST = 50
const TYPES = ['click', 'contextmenu', 'keydown', 'dragstart'] as const

/**
 * Holds what is pressed for a part that is still being loaded. Nothing else answers it meanwhile; once the part is there, it
 * is pressed again where it was pressed.
 */
export class HeldPresses {
  readonly #isFor: (event: Event) => boolean
  readonly #held: { event: Event; target: EventTarget | null }[] = []
  #isThere = false
  /** How often something was pressed in vain. */
  count = $state(0)

  /** @param isFor whether only the part answers this */
  constructor(isFor: (event: Event) => boolean) {
    this.#isFor = isFor
  }

  /** An attachment: begins to hold what is pressed within an element, or within the window. */
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
    // Nothing can be dragged a second time.
    if (event.type !== 'dragstart' && this.#held.length < MOST)
      this.#held.push({ event, target: event.target })
    this.count++
  }

  /** The part is there. */
  release(): void {
    this.#isThere = true
    for (const { event, target } of this.#held.splice(0)) press(target, event)
  }

  /** The part is there, and keys go to what has the focus in it: one after the other, since a key can move that. */
  async releaseKeys(): Promise<void> {
    for (let next = this.#held.shift(); next; next = this.#held.shift()) {
      this.#isThere = true
      press(document.activeElement, next.event)
      // Characters move nothing. With a pause, an Enter that follows what is already visible would be held, and lost.
      if (isCharacter(next.event)) continue
      this.#isThere = false
      await nextFrame()
    }
    this.#isThere = true
  }

  /** The part does not come: nobody waits for what was pressed any more. */
  drop(): void {
    this.#held.length = 0
  }
}

/** The same once more. What is gone meanwhile is not pressed: something else may stand in its place. */
function press(target: EventTarget | null, event: Event): void {
  if (!(target instanceof Node) || !target.isConnected) return
  const Kind = event.constructor as new (type: string, init: EventInit) => Event
  // It answers by its members what it is made of.
  const again = new Kind(event.type, event)
  if (target.dispatchEvent(again) && again instanceof KeyboardEvent) write(target, again.key)
}

const isCharacter = (event: Event): boolean => event instanceof KeyboardEvent && [...event.key].length === 1

/** A key that is pressed by a program writes nothing by itself. */
function write(target: Node, key: string): void {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (!isField || [...key].length !== 1) return
  target.setRangeText(key, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
  target.dispatchEvent(new InputEvent('input', { bubbles: true, data: key, inputType: 'insertText' }))
}

const WITHOUT_LETTERS = /^(?:Arrow\w+|Home|End|Page\w+|Tab|Enter|Backspace|Delete|Escape)$/

/** A key that what lies above the window takes, as against one of the browser or of the system. Escape closes it at once. */
export function isOfOverlay(event: Event, close: () => void): boolean {
  if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape') close()
  return isCharacter(event) || WITHOUT_LETTERS.test(event.key)
}

/** Frames within which what opens takes the focus. */
const FRAMES = 20

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Waits until something that opens has taken the focus from this. Answers whether that happens. */
export async function takesFocusFrom(before: Element | null): Promise<boolean> {
  for (let frame = 0; frame < FRAMES; frame++) {
    const { activeElement } = document
    if (activeElement && activeElement !== before && activeElement !== document.body) return true
    await nextFrame()
  }
  return false
}
