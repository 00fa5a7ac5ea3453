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

/** What a process holds, in bytes. */
export interface Held {
  /** Pages that it shares with others counted by its part: what of the computer's memory it takes. */
  pss: number
  rss: number
}

/** Memory of a process as Linux counts it. Rejects elsewhere. */
export async function heldBytes(pid: number): Promise<Held> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) * 1024
  return { pss: bytes('Pss'), rss: bytes('Rss') }
}

/** The child of a process that runs a program of this name. Throws where there is none. */
export async function childRunning(pid: number, program: string): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.trim().split(' ').map(Number)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.split('\0').some((part) => part.endsWith(program))) return child
  }
  throw new Error(`Process ${pid} has no child that runs ${program}.`)
}
