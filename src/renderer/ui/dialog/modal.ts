/** Where the focus is when a dialog opens. */
export type FirstFocus =
  /** The gentlest button: of what destroys or takes back, and of all that asks for nothing else. */
  | 'gentle'
  /** What the dialog is for, as soon as it is there: the search, or the button that does it. It can be undone in one step. */
  | 'act'

/**
 * An attachment that opens a `<dialog>` over the window until it is taken away. It hangs on the page's body meanwhile:
 * below a parent that is hidden, also one that is hidden later, a dialog holds the window and nobody sees it.
 */
export function modal(first: FirstFocus): (element: HTMLDialogElement) => () => void {
  return (element) => {
    const before = document.activeElement
    document.body.append(element)
    element.showModal()
    // Where nothing asked for the focus, a button gets it, not the cross.
    const asked = element.querySelector('[autofocus]')
    if (!asked && first === 'gentle') (element.querySelector<HTMLElement>('footer button') ?? element).focus()
    const stop = !asked && first === 'act' ? focusAct(element) : () => undefined
    return () => {
      stop()
      element.close()
      element.remove()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }
}

/** Until it is there, nothing has the focus that could be pressed; who has moved it meanwhile keeps it. */
function focusAct(element: HTMLDialogElement): () => void {
  element.focus()
  const observer = new MutationObserver(look)
  function look(): void {
    if (document.activeElement !== element) return observer.disconnect()
    // The act stands last, beside what closes.
    const act = element.querySelector<HTMLElement>('input[type="search"], footer button ~ button')
    if (!act) return
    act.focus()
    observer.disconnect()
  }
  observer.observe(element, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}
