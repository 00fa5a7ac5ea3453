import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'

/** Tests only: bytes that stand for a program of this version. */
export const programOf = (version: string, bytes = 300_000): Buffer =>
  Buffer.concat([Buffer.from(`#!/bin/sh\necho ${version}\nexit 0\n`), Buffer.alloc(bytes, version)])

/** Tests only: a place of updates on this computer, as releases are laid out by what builds them. */
export async function updateFeed() {
  const files = new Map<string, Buffer | ((request: IncomingMessage, response: ServerResponse) => void)>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    const { pathname } = new URL(request.url ?? '', 'http://feed')
    asked.push(pathname.slice(1))
    const file = files.get(pathname.slice(1))
    if (file === undefined) response.writeHead(404).end()
    else if (typeof file === 'function') file(request, response)
    else response.writeHead(200, { 'content-length': file.length }).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return {
    files,
    asked,
    stop,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Releases a version to channels: its program, and what the channel says of it. */
    release(version: string, { channels = ['latest', 'beta'], ...more }: Release = {}) {
      const program = programOf(version)
      const name = `Wheelhouse-${version}.AppImage`
      const sha512 = createHash('sha512').update(program).digest('base64')
      const file = { url: name, sha512, size: program.length, ...more.file }
      const { file: _file, ...info } = more
      const text = stringify({
        ...{ version, files: [file], path: name, sha512: file.sha512 },
        ...{ releaseDate: '2026-11-20T10:00:00.000Z', ...info },
      })
      files.set(name, program)
      for (const channel of channels)
        for (const system of ['-linux', '-linux-arm64', '', '-mac'])
          files.set(`${channel}${system}.yml`, Buffer.from(text))
      return name
    },
  }
}
interface Release {
  channels?: readonly ('latest' | 'beta')[]
  file?: Record<string, unknown>
  [more: string]: unknown
}
export type UpdateFeed = Awaited<ReturnType<typeof updateFeed>>

/** Tests only: a computer with a version installed as an AppImage, which asks a feed. */
export async function installation(feedUrl: string, version: string) {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-updates-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'Wheelhouse.AppImage')
  const cache = join(folder, 'cache')
  const config = join(folder, 'app-update.yml')
  await mkdir(cache)
  await writeFile(program, programOf(version, 10), { mode: 0o755 })
  await writeFile(config, stringify({ provider: 'generic', url: feedUrl, updaterCacheDirName: 'updates' }))
  const app = {
    ...{ version, name: 'wheelhouse', isPackaged: true },
    ...{ appUpdateConfigPath: config, userDataPath: folder, baseCachePath: cache },
    ...{ whenReady: async () => {}, relaunch: () => {}, quit: () => {}, onQuit: () => {} },
  }
  return { folder, program, cache, app, pending: join(cache, 'updates', 'pending') }
}
export type Installation = Awaited<ReturnType<typeof installation>>
