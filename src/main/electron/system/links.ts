import { app } from 'electron'
import { linkAmong, LINK_SCHEME, parseDeepLink } from '../../desktop/deep-link.ts'

/** Registers links; returns a function that sets their handler. Call before Electron is ready. */
export function takeLinks(argv: readonly string[]): (follow: (link: string) => void) => void {
  let first = linkAmong(argv)
  let follow: ((link: string) => void) | null = null
  const take = (link: string | null) => {
    if (link === null || !parseDeepLink(link)) return
    if (follow) follow(link)
    else first = link
  }
  // From source this would register Electron itself.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  // macOS may send it before ready; elsewhere the link starts a second instance.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    take(link)
  })
  app.on('second-instance', (_event, argv) => take(linkAmong(argv)))
  return (to) => {
    follow = to
    take(first)
    first = null
  }
}
