import { readFile } from 'node:fs/promises'

/** Between two looks, in milliseconds. */
const LOOK_EVERY = 50

/** Resident bytes of a process as Linux counts them; NaN elsewhere. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024
}

/** Watches the memory of a process while something runs; answers its resident bytes before, and the most of them. */
export async function watchMemory(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ before: number; peak: number }> {
  const before = await residentBytes(pid)
  let peak = before
  const look = async () => void (peak = Math.max(peak, await residentBytes(pid)))
  const looking = setInterval(() => void look(), LOOK_EVERY)
  try {
    await work()
    await look()
  } finally {
    clearInterval(looking)
  }
  return { before, peak }
}
