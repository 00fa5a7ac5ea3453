/**
 * An attachment that opens a `<dialog>` over the window until it is taken away. It hangs on the page's body meanwhile:
 * below a parent that is hidden, also one that is hidden later, a dialog holds the window and nobody sees it.
 */
export function modal(element: HTMLDialogElement): () => void {
  const before = document.activeElement
  document.body.append(element)
  element.showModal()
  // Where nothing asked for the focus, the gentlest button gets it, not the cross.
  if (!element.querySelector('[autofocus]'))
    (element.querySelector<HTMLElement>('footer button') ?? element).focus()
  return () => {
    element.close()
    element.remove()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
}
