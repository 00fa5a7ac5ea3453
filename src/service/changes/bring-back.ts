import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { isWithin } from '../../contract/rules/paths.ts'
import { diskPath } from '../files/names/raw-names.ts'
import { flushTree } from '../files/safe-fs/copy-tree.ts'
import type { CopyRecord } from './copy-records.ts'
import { replaceParts, swap, type SettleContext } from './settle.ts'
import { inCopies, inServer } from '../../extensions/folder/step.ts'
import { stepFrom } from './steps.ts'

/** Puts what comes back into an empty folder. Rejects with the signal's reason once it is aborted. */
type Extract = (to: string) => Promise<void>

/** What was extracted takes the place of everything, which becomes a copy to go back to. */
export async function bringBackAll(
  settling: SettleContext,
  from: Pick<CopyRecord, 'software' | 'installed' | 'bytes' | 'pack'>,
  aside: CopyRecord,
  extract: Extract,
): Promise<void> {
  const { copies } = settling
  // Records of former modpacks are gone.
  const pack = from.pack === copies.packId ? from.pack : null
  const copy: CopyRecord = { ...aside, ...from, pack, id: `copy-${randomUUID()}` }
  const to = copies.at(copy)
  await mkdir(to, { recursive: true, mode: 0o700 })
  await extract(to)
  await flushTree(to)
  swap(settling, copy, aside)
}

/** What was extracted takes the place of what has the same paths; all else stays. */
export async function bringBackParts(
  settling: SettleContext,
  paths: readonly string[],
  extract: Extract,
): Promise<void> {
  const { copies, files } = settling
  const [coming, gone] = [`parts-${randomUUID()}`, `gone-${randomUUID()}`]
  const to = path.join(copies.folder, coming)
  await mkdir(to, { recursive: true, mode: 0o700 })
  await extract(to)
  await flushTree(to)
  const context = { files, copies: copies.folder }
  const steps = outermost(paths)
    .filter((at) => existsSync(diskPath(to, at)))
    .flatMap((at, index) => [
      ...stepFrom(context, inServer(at), inCopies(`${gone}-${index}`)),
      ...stepFrom(context, inCopies(coming, at), inServer(at)),
    ])
  replaceParts(settling, steps)
}

/** Without those that are within others. */
export const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((at) => !paths.some((other) => other !== at && isWithin(at, other)))
