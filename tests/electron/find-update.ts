import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AppUpdater } from 'electron-updater'
import { stringify } from 'yaml'
import { noLog } from '../../src/main/logging/log.ts'
import { LibraryEngine } from '../../src/main/updates/library-engine.ts'
import type { Installer } from '../../src/main/updates/where-updated.ts'
import { FEED_VERSION } from './checks.ts'

/** The updater that can be tried on a system: one that asks nothing of how the panel was installed. */
export const triedInstaller = (platform: NodeJS.Platform): Installer =>
  platform === 'win32' ? 'nsis' : platform === 'darwin' ? 'mac' : 'deb'

/** Has an updater look for a newer version at a place on this computer. Nothing is downloaded or installed. */
export async function findUpdate(updater: AppUpdater, installer: Installer): Promise<string | null> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    const isFeed = /^\/latest[a-z0-9-]*\.yml$/.test(new URL(request.url ?? '', 'http://feed').pathname)
    response.writeHead(isFeed ? 200 : 404).end(isFeed ? feed() : '')
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    // It would ask nothing, and say nothing, where the program is not packed.
    updater.forceDevUpdateConfig = true
    updater.setFeedURL({ provider: 'generic', url: `http://127.0.0.1:${port}/` })
    const found = await new LibraryEngine({ updater, installer, log: noLog }).check('stable')
    return found?.version ?? null
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function feed(): string {
  const sha512 = createHash('sha512').digest('base64')
  const files = ['exe', 'zip', 'deb', 'rpm', 'AppImage'].map((kind) => ({
    url: `Wheelhouse.${kind}`,
    sha512,
    size: 1,
  }))
  return stringify({
    version: FEED_VERSION,
    files,
    path: files[0]?.url,
    sha512,
    releaseDate: '2026-01-01T00:00:00.000Z',
  })
}
