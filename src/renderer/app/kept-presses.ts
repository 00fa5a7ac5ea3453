/** How far a hand moves while it presses, px. */
const STILL = 4

interface Press {
  control: HTMLElement
  box: DOMRect
  x: number
  y: number
}

/**
 * A press belongs to what was pressed, though something that arrived moved it from under the pointer before the button of
 * the mouse was let go. Browsers then send the click to whatever is around both.
 */
export function keepPresses(): void {
  let press: Press | null = null
  addEventListener(
    'pointerdown',
    ({ button, target, clientX: x, clientY: y }) => {
      const control = target instanceof Element ? target.closest<HTMLElement>('button, a[href]') : null
      press = button === 0 && control ? { control, box: control.getBoundingClientRect(), x, y } : null
    },
    true,
  )
  addEventListener(
    'click',
    (event) => {
      const pressed = press
      press = null
      const { target, clientX, clientY, ctrlKey, metaKey, shiftKey } = event
      // With keys a press means something else, which a click of ours can't tell.
      if (!pressed || ctrlKey || metaKey || shiftKey) return
      if (Math.hypot(clientX - pressed.x, clientY - pressed.y) > STILL) return
      const { control, box } = pressed
      const dialog = document.querySelector('dialog:modal')
      if (control.contains(target as Node) || !control.checkVisibility()) return
      if (dialog && !dialog.contains(control)) return
      const { left, top } = control.getBoundingClientRect()
      // What lies over it came by the press itself, such as a menu.
      if (left === box.left && top === box.top) return
      event.preventDefault()
      event.stopImmediatePropagation()
      control.click()
    },
    true,
  )
}
