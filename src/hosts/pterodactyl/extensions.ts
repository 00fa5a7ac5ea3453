import { Readable } from 'node:stream'
import { isJarName } from '../../extensions/folder/jar-file.ts'
import { collect } from '../base/body.ts'
import type { ServerAccess } from '../extensions/host-extensions.ts'
import { headOf, LOG_HEAD } from '../extensions/remote-folder.ts'
import type { PanelFiles } from './files.ts'
import type { PanelServers } from './servers.ts'

const RUNNING: readonly string[] = ['online', 'starting', 'stopping']

/** A server's plugins and mods by its panel's file operations. */
export function extensionAccess(files: PanelFiles, servers: PanelServers): ServerAccess {
  const folderOf: ServerAccess['folder'] = (id, caller) => ({
    list: (path) => files.list(id, path, caller),
    read: (path) => (isJarName(path) ? files.whole(id, path, caller) : files.read(id, path, null, caller)),
    async readPart(path, from, to) {
      const part = await files.part(id, path, `bytes=${from}-${to - 1}`, caller)
      return part && collect(part.stream, to - from)
    },
    async upload(path, bytes) {
      const file = Readable.from(bytes, { objectMode: false })
      await files.upload(id, { path, conflict: 'refuse', file }, caller)
    },
    makeFolder: (path) => files.makeFolder(id, path, false, caller),
    move: (from, to) => files.move(id, { from, to }, 'refuse', caller),
    remove: (path) => files.remove(id, path, caller),
  })
  return {
    folder: folderOf,
    async run(id, caller) {
      const { status } = await servers.status(id, caller)
      const isRunning = RUNNING.includes(String(status))
      return {
        isRunning,
        log: isRunning ? await headOf(folderOf(id, caller), LOG_HEAD.path, LOG_HEAD.bytes) : '',
      }
    },
  }
}
