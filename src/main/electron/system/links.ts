import { app } from 'electron'
import { linkAmong, LINK_SCHEME, parseDeepLink } from '../../desktop/deep-link.ts'

/** Registers links to places of the panel; answers a function that is to be given who follows them. Before Electron is ready. */
export function takeLinks(argv: readonly string[]): (follow: (link: string) => void) => void {
  let first = linkAmong(argv)
  let follow: ((link: string) => void) | null = null
  const take = (link: string | null) => {
    if (link === null || !parseDeepLink(link)) return
    if (follow) follow(link)
    else first = link
  }
  // Where the program runs from its sources, this would register Electron itself.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  // macOS may tell before the program is ready; elsewhere a second program is started with the link.
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
