import { app, session, shell, type WebContents } from 'electron'
import { isLoopback } from '../../host/network/loopback.ts'

/** All navigation and permission rules: the page stays put and is granted nothing. */
export function lockDown(): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
}

function lockContents(contents: WebContents): void {
  // Main's own load does not trigger these.
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Rejects unless https, or http on this computer, where a service may run: other schemes start programs. */
export async function openExternal(address: string): Promise<void> {
  const { protocol, hostname, href } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new Error('Only https addresses, and http ones of this computer, are opened in the browser.')
  await shell.openExternal(href)
}
