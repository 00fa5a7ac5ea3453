import type { Engine } from './engine.ts'

const NANO = 1_000_000_000n
/** Head of a frame, its time, and some more. */
const MOST = 64 * 1024

/** Seconds of an engine's time, with its nanoseconds. `0` for none. */
export function secondsOf(time: string, plus = 0n): string {
  const ms = Date.parse(time)
  if (!(ms > 0)) return '0'
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? ''
  const nanos = BigInt(Math.floor(ms / 1000)) * NANO + BigInt(fraction.padEnd(9, '0')) + plus
  return `${nanos / NANO}.${String(nanos % NANO).padStart(9, '0')}`
}

/** Right after what a container's log ends with now. Rejects with EngineFault. */
export async function afterLast(engine: Engine, containerId: string): Promise<string> {
  const query = { stdout: true, stderr: true, timestamps: true, tail: 1 }
  const over = new AbortController()
  let head = ''
  try {
    const log = await engine.stream(`/containers/${containerId}/logs`, query, over.signal)
    for await (const chunk of log as AsyncIterable<Buffer>)
      if ((head += chunk.toString('latin1')).length > MOST) break
  } finally {
    over.abort()
  }
  return secondsOf(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/.exec(head)?.[0] ?? '', 1n)
}
