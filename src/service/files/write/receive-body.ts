import type { IncomingMessage } from 'node:http'
import { open, rm } from 'node:fs/promises'
import { Patience } from '../../base/patience.ts'
import { refusal } from '../../../host/refusal.ts'
import { asRefusal } from '../names/refusals.ts'
import { requireSize } from './commit-file.ts'
import type { ServerFiles } from '../server-files.ts'

/** Time in ms without bytes before giving up. */
export const SILENCE_MS = 60_000

/** For bodies of unknown length: bytes between checks of quota and disk. */
const ROOM_STEP = 1024 * 1024

/** Throws Refusal 408 `files.stalled`, 400 `files.cut-off`. Leaves the request open for the response. */
export async function* chunksOf(request: IncomingMessage, silenceMs = SILENCE_MS): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  const patience = new Patience()
  const timer = setTimeout(() => {
    // Count only time spent waiting for the sender, not our slow writes.
    if (!patience.waits) return
    const seconds = Math.round(silenceMs / 1000)
    patience.giveUp(refusal(408, 'files.stalled', { seconds }).with({ Connection: 'close' }))
  }, silenceMs)
  try {
    for (;;) {
      timer.refresh()
      const next = await patience.wait(nextOf(chunks))
      if (next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}

async function nextOf(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next()
  } catch {
    throw refusal(400, 'files.cut-off')
  }
}

export function lengthOf(request: IncomingMessage): number | null {
  const text = request.headers['content-length']
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Writes to a staging file. Checks size and space first if the length is known, else on the way. */
export async function receive(
  files: ServerFiles,
  request: IncomingMessage,
  path: string,
  replaced: number,
): Promise<string> {
  const length = lengthOf(request)
  if (length !== null) requireSize(files, length)
  using reservation = await files.space.reserve(length ?? 0, replaced)
  const temp = files.newTemp()
  const handle = await open(temp, 'wx', 0o600)
  try {
    let size = 0
    let room = length ?? 0
    for await (const chunk of chunksOf(request)) {
      size += chunk.length
      requireSize(files, size)
      if (size > room) {
        await reservation.grow(ROOM_STEP, Math.max(0, size - replaced - reservation.quota))
        room = size + ROOM_STEP
      }
      await handle.writeFile(chunk)
      reservation.wrote(chunk.length)
    }
    await handle.close()
    return temp
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(temp, { force: true })
    throw asRefusal(error, path)
  }
}
