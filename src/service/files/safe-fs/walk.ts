import { lstatSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { GivingWay } from './priority.ts'

/** Stats asked at the same time: libuv works on four, and a short queue keeps them busy. */
const AT_ONCE = 32
/** Stats taken in one go, and how long that takes at most on a disk that has them at hand, in milliseconds. */
const IN_ONE_GO = 64
const AT_HAND_MS = 5

/** Runs `act` for every item, so many at a time, in order of the items. Ends at the first error. */
export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>, atOnce = AT_ONCE) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await act(items[next++] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

/**
 * Bytes of all files below a folder of the system. Links are not followed; what goes meanwhile counts nothing. Gives way
 * to what somebody waits for.
 */
export function bytesIn(folder: string): Promise<number> {
  return measured(folder, new GivingWay())
}

async function measured(folder: string, way: GivingWay): Promise<number> {
  await way.next()
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files: string[] = []
  const folders: string[] = []
  for (const entry of entries) {
    if (entry.isDirectory()) folders.push(join(folder, entry.name))
    else if (entry.isFile()) files.push(join(folder, entry.name))
  }
  let bytes = 0
  // Synchronous stats cost a fifth of those by the thread pool, but hold everybody up where the disk has to be waited for.
  let isAtHand = true
  for (let at = 0; at < files.length; at += IN_ONE_GO) {
    await setImmediate()
    await way.next()
    const some = files.slice(at, at + IN_ONE_GO)
    const began = performance.now()
    const sizes = isAtHand ? some.map(sizeOf) : await Promise.all(some.map(sizeLater))
    isAtHand = performance.now() - began < AT_HAND_MS
    for (const size of sizes) bytes += size
  }
  for (const inner of folders) bytes += await measured(inner, way)
  return bytes
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

const sizeLater = (file: string): Promise<number> =>
  lstat(file).then(
    ({ size }) => size,
    () => 0,
  )
