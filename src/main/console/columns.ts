import type { LineBatch } from '../../contract/bridge/values.ts'
import { parseLineId } from '../../contract/pure/line-ids.ts'

/**
 * Turns lines of a service into batches of consecutive ids, and counts the ones that do not fit. Written by hand and not
 * with a schema: it runs 100,000 times a second, and a schema took longer than all the rest of the way to the window.
 */
export function toBatches(lines: readonly unknown[]): { batches: LineBatch[]; leftOut: number } {
  const batches: LineBatch[] = []
  let batch: LineBatch | null = null
  let leftOut = 0
  let lastTime = ''
  let lastMs = 0
  // What the next id has to be where the line follows the one before; saves taking apart every id.
  let expected = ''
  for (const line of lines) {
    const { id, text, time, source } = (line ?? {}) as Record<string, unknown>
    if (typeof id !== 'string' || typeof text !== 'string') {
      leftOut++
      continue
    }
    if (!batch || id !== expected) {
      const parsed = parseLineId(id)
      if (!parsed) {
        leftOut++
        continue
      }
      batch = { epoch: parsed.epoch, firstSeq: parsed.seq, times: [], texts: [], sources: {} }
      batches.push(batch)
    }
    if (typeof time === 'string' && time !== lastTime) {
      lastTime = time
      lastMs = Date.parse(time) || 0
    }
    if (source === 'error' || source === 'command' || source === 'service')
      batch.sources[batch.texts.length] = source
    batch.times.push(typeof time === 'string' ? lastMs : 0)
    batch.texts.push(text)
    expected = `${batch.epoch}-${batch.firstSeq + batch.texts.length}`
  }
  return { batches, leftOut }
}

/** The batch without the lines up to and including `seq`; null where nothing is left. */
export function dropThrough(batch: LineBatch, seq: number): LineBatch | null {
  const drop = seq + 1 - batch.firstSeq
  if (drop <= 0) return batch
  if (drop >= batch.texts.length) return null
  const sources: LineBatch['sources'] = {}
  for (const [at, source] of Object.entries(batch.sources))
    if (Number(at) >= drop) sources[Number(at) - drop] = source
  return {
    epoch: batch.epoch,
    firstSeq: batch.firstSeq + drop,
    times: batch.times.slice(drop),
    texts: batch.texts.slice(drop),
    sources,
  }
}

/** The seq of a batch's last line. */
export const lastSeq = (batch: LineBatch) => batch.firstSeq + batch.texts.length - 1
