import { lstatSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type OpenedFolder, openRoot } from './opened-folder.ts'
import { BackgroundPacer } from '../../base/priority.ts'
import { type DiskPath, diskPath } from '../names/raw-names.ts'
import { walkTree } from './walk-tree.ts'

/** Libuv runs four at a time; a short queue keeps them busy. */
const AT_ONCE = 32
/** Synchronous stats per step, and the ms above which the disk counts as slow. */
const IN_ONE_GO = 64
const AT_HAND_MS = 5

export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>, atOnce = AT_ONCE) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await act(items[next++] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

interface TreeSize {
  bytes: number
  /** Names on the longest path, including its own. */
  depth: number
}

/** Doesn't follow links; ignores concurrent deletions. */
export async function measureTree(folder: OpenedFolder, name: string): Promise<TreeSize> {
  const stat = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return { bytes: stat?.isFile() ? stat.size : 0, depth: 1 }
  using inner = folder.enter(name)
  const { bytes, depth } = await measured(inner)
  return { bytes, depth: depth + 1 }
}

/** Doesn't follow links; ignores concurrent deletions. Yields to requests. */
export async function bytesIn(folder: string): Promise<number> {
  try {
    using top = openRoot(folder)
    return (await measured(top, new BackgroundPacer())).bytes
  } catch {
    return 0
  }
}

/** Whether the longest path has more than `most` names, including its own. */
export async function isDeeper(folder: OpenedFolder, name: string, most: number): Promise<boolean> {
  using inner = folder.enter(name)
  for await (const step of walkTree(inner, () => undefined))
    if (step.kind === 'in' && step.entries.length > 0 && step.depth + 2 > most) return true
  return false
}

async function measured(top: OpenedFolder, way?: BackgroundPacer): Promise<TreeSize> {
  let [bytes, deepest] = [0, 0]
  // Synchronous stats cost a fifth of asynchronous ones, but block while the disk is slow.
  let isAtHand = true
  for await (const step of walkTree(top, () => undefined)) {
    if (step.kind === 'out') continue
    const { folder, depth, entries } = step
    deepest = Math.max(deepest, depth + Math.sign(entries.length))
    const files = entries.filter(({ kind }) => kind === 'file')
    const { itself } = folder
    await way?.next()
    for (let at = 0; at < files.length; at += IN_ONE_GO) {
      await setImmediate()
      await way?.next()
      const some = files.slice(at, at + IN_ONE_GO).map(({ name }) => diskPath(itself, name))
      const began = performance.now()
      const sizes = isAtHand ? some.map(sizeOf) : await Promise.all(some.map(sizeLater))
      isAtHand = performance.now() - began < AT_HAND_MS
      for (const size of sizes) bytes += size
    }
  }
  return { bytes, depth: deepest }
}

function sizeOf(file: DiskPath): number {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

const sizeLater = (file: DiskPath): Promise<number> =>
  lstat(file).then(
    ({ size }) => size,
    () => 0,
  )
