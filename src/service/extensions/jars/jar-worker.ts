/* Reads and hashes jars in a thread: they are untrusted, and a folder may have hundreds. */
import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { ServerFiles, type ServerFilesOptions } from '../../files/server-files.ts'
import type { FileHashes } from '../../../extensions/catalogs/extension-catalog.ts'
import { boundedFacts, type JarReading } from '../../../extensions/jars/facts.ts'
import { readJar } from '../../../extensions/jars/read-jar.ts'

const MOST_BYTES = 2 * 1024 ** 3
const PIECE = 1024 * 1024

export type JarFolders = Pick<ServerFilesOptions, 'serverId' | 'root' | 'staging' | 'trash'>
export interface JarRequest {
  id: number
  kind: 'facts' | 'hashes'
  folders: JarFolders
  path: string
}
/** Null: permanently unreadable. `failed`: could not be opened, perhaps temporarily. */
export type JarAnswer =
  ({ id: number } & JarReading) | { id: number; hashes: FileHashes | null } | { id: number; failed: true }

async function answer({ id, kind, folders, path }: JarRequest): Promise<JarAnswer> {
  try {
    const files = new ServerFiles({ ...folders, maxFileBytes: null, quotaBytes: null, running: () => false })
    const { handle, stat } = await files.openRead(path)
    await using _closed = handle
    const size = Number(stat.size)
    if (size > MOST_BYTES)
      return kind === 'facts' ? { id, facts: null, why: 'too-large' } : { id, hashes: null }
    if (kind === 'facts') {
      const read = await readJar(handle.fd, size)
      return { id, ...read, facts: boundedFacts(read.facts) }
    }
    return { id, hashes: hashesOf(handle.fd) }
  } catch {
    return { id, failed: true }
  }
}

function hashesOf(fd: number): FileHashes {
  const [sha1, sha256, sha512] = [createHash('sha1'), createHash('sha256'), createHash('sha512')]
  const piece = Buffer.allocUnsafe(PIECE)
  for (let at = 0; ;) {
    const count = readSync(fd, piece, 0, PIECE, at)
    if (count === 0) break
    at += count
    for (const hash of [sha1, sha256, sha512]) hash.update(piece.subarray(0, count))
  }
  return { sha1: sha1.digest('hex'), sha256: sha256.digest('hex'), sha512: sha512.digest('hex') }
}

// One at a time, so a crash can be attributed to a file.
let turn: Promise<unknown> = Promise.resolve()
parentPort?.on('message', (request: JarRequest) => {
  turn = turn.then(() => answer(request)).then((given) => parentPort?.postMessage(given))
})
