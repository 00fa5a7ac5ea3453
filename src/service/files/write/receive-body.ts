import type { IncomingMessage } from 'node:http'
import { open, rm } from 'node:fs/promises'
import { Patience } from '../../base/patience.ts'
import { refusal } from '../../base/refusal.ts'
import { asRefusal } from '../names/refusals.ts'
import { requireSize } from './commit-file.ts'
import type { ServerFiles } from '../server-files.ts'

/** A body may stand still for this long, in milliseconds. */
export const SILENCE_MS = 60_000

/** Of a body whose length is not said, quota and disk are asked anew after so many bytes. */
const ROOM_STEP = 1024 * 1024

/**
 * The chunks of a body as they come. Throws Refusal 408 `files.stalled` where it stands still, 400 `files.cut-off` where
 * it ends too early. The request stays open when it is left, so that it can be answered.
 */
export async function* chunksOf(request: IncomingMessage, silenceMs = SILENCE_MS): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  const patience = new Patience()
  const timer = setTimeout(() => {
    // What is written slowly here is not the sender's silence: only waiting counts.
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

/** Bytes a body says it has; null where it does not say. */
export function lengthOf(request: IncomingMessage): number | null {
  const text = request.headers['content-length']
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/**
 * Writes a body into a new file of the staging folder and answers its path. Size, quota and room are checked before the
 * first byte where the length is said, else as it comes; `replaced` bytes go for it. Leaves nothing behind when it throws.
 */
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
