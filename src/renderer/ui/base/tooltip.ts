import type { Attachment } from 'svelte/attachments'

let bubble: HTMLElement | null = null
let shownFor: Element | null = null

/** One per window, in the top layer above dialogs. */
function theBubble(): HTMLElement {
  if (bubble) return bubble
  bubble = document.createElement('div')
  bubble.id = 'tooltip'
  bubble.popover = 'manual'
  bubble.setAttribute('role', 'tooltip')
  bubble.className =
    'pointer-events-none fixed inset-auto m-0 max-w-72 rounded-md border border-line bg-raised px-2 py-1 text-sm text-text shadow-raised'
  return bubble
}

function show(target: Element, text: string): void {
  const element = theBubble()
  element.textContent = text
  // Belongs in the landmark or dialog of its target.
  const home = target.closest('dialog, main, nav, footer, section[aria-label]') ?? document.body
  if (element.parentElement !== home) home.append(element)
  element.showPopover()
  shownFor = target
  target.setAttribute('aria-describedby', element.id)
  const at = target.getBoundingClientRect()
  const size = element.getBoundingClientRect()
  const room = 8
  const below = at.bottom + 6 + size.height + room < innerHeight
  const left = Math.min(
    Math.max(room, at.left + at.width / 2 - size.width / 2),
    innerWidth - size.width - room,
  )
  element.style.left = `${left}px`
  element.style.top = `${below ? at.bottom + 6 : at.top - size.height - 6}px`
}

function hide(target: Element): void {
  if (shownFor !== target) return
  shownFor = null
  bubble?.hidePopover()
  target.removeAttribute('aria-describedby')
}

/** `{@attach tooltip(text)}`: on hover after `delay` ms, on keyboard focus immediately; null shows nothing. */
export function tooltip(text: string | null | undefined, delay = 350): Attachment {
  return (element) => {
    if (!text) {
      hide(element)
      return
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const point = () => {
      clearTimeout(timer)
      timer = setTimeout(() => show(element, text), delay)
    }
    const leave = () => {
      clearTimeout(timer)
      hide(element)
    }
    const focus = () => {
      if (element.matches(':focus-visible')) show(element, text)
    }
    const escape = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key === 'Escape') leave()
    }
    const listeners: [string, (event: Event) => void][] = [
      ['pointerenter', point],
      ['pointerleave', leave],
      ['pointerdown', leave],
      ['focus', focus],
      ['blur', leave],
      ['keydown', escape],
    ]
    for (const [name, listener] of listeners) element.addEventListener(name, listener)
    // The text can change while shown: the attachment runs again.
    if (shownFor === element) show(element, text)
    return () => {
      clearTimeout(timer)
      for (const [name, listener] of listeners) element.removeEventListener(name, listener)
      if (!element.isConnected) hide(element)
    }
  }
}
