import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import { type LogFiles, logLines } from './log-tail.ts'
import * as remote from './remote.ts'

const LOGS = 'logs'
export const LATEST_LOG = 'logs/latest.log'
/** As the game names them. */
const ARCHIVE = /^\d{4}-\d{2}-\d{2}-\d+\.log(\.gz)?$/
/** Bytes: of a compressed log, of one that is unpacked, and of its end that is kept. */
const PACKED_MOST = 32 * 1024 * 1024
const UNPACKED_MOST = 512 * 1024 * 1024
const END_MOST = 8 * 1024 * 1024

/** The logs of a server. Its console outlives single calls, so `caller` has no end of its own. */
export const logFiles = (link: SshLink, folder: ServerFolder, caller: Caller): LogFiles => ({
  async size() {
    const session = await link.open(caller)
    return (await remote.statOf(session, await folder.at(session, LATEST_LOG)))?.size ?? null
  },
  async read(from, to) {
    const session = await link.open(caller)
    return remote.readPart(session, await folder.at(session, LATEST_LOG), from, to)
  },
  async *archives(most) {
    const session = await link.open(caller)
    const at = await folder.at(session, LOGS)
    const ended = (await remote.entriesIn(session, at))
      .filter(({ filename }) => ARCHIVE.test(filename))
      .sort((a, b) => b.attrs.mtime - a.attrs.mtime || b.filename.localeCompare(a.filename, 'en', NUMERIC))
    for (const { filename, attrs } of ended.slice(0, most)) {
      const path = await folder.at(session, `${LOGS}/${filename}`)
      const isPacked = filename.endsWith('.gz')
      // The end of a larger one can't be unpacked by itself.
      if (isPacked && attrs.size > PACKED_MOST) return
      const from = isPacked ? 0 : Math.max(0, attrs.size - END_MOST)
      const bytes = await remote.readPart(session, path, from, attrs.size)
      yield logLines(isPacked ? await endOf(bytes) : bytes)
    }
  },
})

const NUMERIC = { numeric: true }

/** The end of what is packed; of one that isn't whole yet, nothing. */
async function endOf(packed: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  let held = 0
  let all = 0
  try {
    for await (const piece of Readable.from([packed]).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      pieces.push(piece)
      held += piece.length
      if ((all += piece.length) > UNPACKED_MOST) return Buffer.alloc(0)
      while (held - pieces[0]!.length > END_MOST) held -= pieces.shift()!.length
    }
  } catch {
    return Buffer.alloc(0)
  }
  return Buffer.concat(pieces)
}
