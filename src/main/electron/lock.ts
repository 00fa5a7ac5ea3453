import { app, session, shell, type WebContents } from 'electron'

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

/** Opens an address in the person's browser. Rejects unless it is https: other schemes start programs. */
export async function openExternal(address: string): Promise<void> {
  const { protocol, href } = new URL(address)
  if (protocol !== 'https:') throw new Error('Only https addresses are opened in the browser.')
  await shell.openExternal(href)
}
