import type { LastOutput } from '../programs/driver.ts'
import type { Archive } from './archive.ts'

/** Lines read at once, from the end. */
const AT_ONCE = 1_000
const BYTES = 1024 * 1024

/** When the program's last line before the epoch was written, and how many of its lines in that ms. */
export async function lastOutputIn(archive: Archive, before: number): Promise<LastOutput | null> {
  let [at, count] = [NaN, 0]
  for (const epoch of archive.epochs().reverse()) {
    if (epoch >= before) continue
    let end = archive.endOf(epoch) ?? 0
    const first = archive.seqFrom({ epoch, seq: 1 }) ?? end
    while (end > first) {
      const from = Math.max(first, end - AT_ONCE)
      const times = await outputTimes(archive, epoch, from, end)
      for (const one of times.reverse()) {
        if (count > 0 && one !== at) return { at, count }
        at = one
        count++
      }
      end = from
    }
    if (count > 0) return { at, count }
  }
  return null
}

/** Of the lines `from` to before `end` that the program wrote itself. */
async function outputTimes(archive: Archive, epoch: number, from: number, end: number): Promise<number[]> {
  const times: number[] = []
  for (;;) {
    // Not every line is stored: writing may have failed.
    const seq = archive.seqFrom({ epoch, seq: from }) ?? end
    if (seq >= end) break
    const read = await archive.read({ epoch, seq }, null, end - seq, BYTES)
    if (!read) break
    for (const line of read.bytes.toString().split('\n')) {
      const at = timeOf(line)
      if (at !== null) times.push(at)
    }
    from = seq + read.count
  }
  return times
}

/** Null for lines of the service and commands, and for what can't be read. */
function timeOf(encoded: string): number | null {
  try {
    const { time, source } = JSON.parse(encoded) as { time?: string; source?: string }
    const at = Date.parse(time ?? '')
    return Number.isNaN(at) || (source !== undefined && source !== 'error') ? null : at
  } catch {
    return null
  }
}
