import { app, session, shell, type WebContents } from 'electron'
import { isLoopback } from '../../host/network/loopback.ts'

/** Every rule of navigation and permission is in this file: the page stays where it is, and is given nothing. */
export function lockDown(): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
}

function lockContents(contents: WebContents): void {
  // The panel's own load is not among these: it comes from main.
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/**
 * Opens an address in the person's browser. Rejects unless it is https, or http of this computer, where a service may run:
 * other schemes start programs.
 */
export async function openExternal(address: string): Promise<void> {
  const { protocol, hostname, href } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new Error('Only https addresses, and http ones of this computer, are opened in the browser.')
  await shell.openExternal(href)
}
