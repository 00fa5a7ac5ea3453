import { lstatSync, renameSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { collectGarbage } from '../../../host/idle.ts'
import { hashingMethods } from './hashing.ts'
import type { Moved } from '../../base/worker-thread.ts'
import { packBatch, type PackedBatch, type SmallFile } from './pack-batch.ts'

const COLLECTED_AFTER = 16

export function createMethods() {
  let batches = 0
  return {
    close: () => undefined,
    rest: () => collectGarbage(),
    ...hashingMethods(),

    /** Size, time and folder flag per file; null if missing. */
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
     * For file systems without hard links. Null, or an error code: `EEXIST` if taken. Synchronous, so nothing
     * interferes.
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
      // Takes milliseconds in this small heap, which V8 would otherwise let grow to twice its size.
      if (++batches % COLLECTED_AFTER === 0) collectGarbage()
      return packed
    },
  }
}

export type Methods = Omit<ReturnType<typeof createMethods>, 'packBatch'> & {
  packBatch(files: SmallFile[]): Promise<PackedBatch>
}
