/** Initial focus of a dialog. */
export type FirstFocus =
  /** The safest button: for destructive dialogs, and those with no focus of their own. */
  | 'gentle'
  /** The search field or the action button, for what can be undone in one step. */
  | 'act'

/** Opens a `<dialog>` as modal, moved to the body: under a hidden parent it would block the window invisibly. */
export function modal(first: FirstFocus): (element: HTMLDialogElement) => () => void {
  return (element) => {
    const before = document.activeElement
    document.body.append(element)
    element.showModal()
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

/** Nothing pressable has focus until the button exists; keeps focus if the user moves it. */
function focusAct(element: HTMLDialogElement): () => void {
  element.focus()
  const observer = new MutationObserver(look)
  function look(): void {
    if (document.activeElement !== element) return observer.disconnect()
    // The action button comes last, after the one that closes.
    const act = element.querySelector<HTMLElement>('input[type="search"], footer button ~ button')
    if (!act) return
    act.focus()
    observer.disconnect()
  }
  observer.observe(element, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}
