import { lstatSync, renameSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { collectGarbage } from '../../../host/idle.ts'
import { hashingMethods } from './hashing.ts'
import type { Moved } from '../../base/worker-thread.ts'
import { packBatch, type PackedBatch, type SmallFile } from './pack-batch.ts'

/** Batches until what they left behind is collected. */
const COLLECTED_AFTER = 16

/** Work on bytes that would hold up main's thread: it runs in a worker. */
export function createMethods() {
  let batches = 0
  return {
    close: () => undefined,
    /** Lets go of what is not needed while nobody asks for anything. */
    rest: () => collectGarbage(),
    ...hashingMethods(),

    /** Size and time of many files at once, and what tells a folder by; null for those that are not there. */
    statMany: (files: string[]) =>
      Promise.all(
        files.map(async (file) => {
          const found = await stat(file).catch(() => null)
          return found
            ? {
                size: found.size,
                modifiedAt: Math.trunc(found.mtimeMs),
                isFolder: found.isDirectory(),
                id: `${found.dev}:${found.ino}`,
              }
            : null
        }),
      ),

    /**
     * Renames a file where its new name is free; answers null then, or the code of what is wrong: `EEXIST` where it is
     * taken. For file systems without links: both steps follow each other with nothing of ours in between, and a panel
     * that is killed here has renamed it or has not.
     */
    renameIfFree(from: string, to: string): string | null {
      try {
        if (lstatSync(to, { throwIfNoEntry: false })) return 'EEXIST'
        renameSync(from, to)
        return null
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'EIO'
      }
    },

    async packBatch(files: SmallFile[]): Promise<Moved> {
      const packed = await packBatch(files)
      // In a heap as small as this one that takes some milliseconds, and V8 by itself lets it grow to twice its size.
      if (++batches % COLLECTED_AFTER === 0) collectGarbage()
      return packed
    },
  }
}

/** As main sees these methods. */
export type Methods = Omit<ReturnType<typeof createMethods>, 'packBatch'> & {
  packBatch(files: SmallFile[]): Promise<PackedBatch>
}
