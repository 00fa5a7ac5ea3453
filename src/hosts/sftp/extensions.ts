import { collect } from '../base/body.ts'
import type { ServerAccess } from '../extensions/host-extensions.ts'
import { headOf, LOG_HEAD } from '../extensions/remote-folder.ts'
import type { SftpFiles } from './files.ts'
import type { GameServer } from './game-server.ts'
import type { SftpWriting } from './writing.ts'

/** The server's plugins and mods over SFTP, of which jars are read in parts. */
export function extensionAccess(files: SftpFiles, writing: SftpWriting, server: GameServer): ServerAccess {
  const folderOf: ServerAccess['folder'] = (_id, caller) => ({
    list: (path) => files.list(path, caller),
    read: (path) => files.read(path, null, caller),
    readPart: async (path, from, to) =>
      collect((await files.read(path, `bytes=${from}-${to - 1}`, caller)).stream, to - from),
    async upload(path, bytes) {
      await writing.write({ path, bytes, mustBeNew: true }, caller)
    },
    makeFolder: (path) => files.makeFolder(path, false, caller),
    move: (from, to) => files.move({ from, to }, 'refuse', caller),
    remove: (path) => files.remove(path, caller),
  })
  return {
    folder: folderOf,
    async run(id, caller) {
      const { state } = await server.pulse(caller)
      const isRunning = state === 'online'
      return {
        isRunning,
        log: isRunning ? await headOf(folderOf(id, caller), LOG_HEAD.path, LOG_HEAD.bytes) : '',
      }
    },
  }
}
