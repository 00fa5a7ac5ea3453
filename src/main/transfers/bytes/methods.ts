import { lstatSync, renameSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hashingMethods } from './hashing.ts'
import { packBatch, type PackedBatch, type SmallFile } from './pack-batch.ts'

export function createMethods() {
  return {
    close: () => undefined,
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

    packBatch,
  }
}

export type Methods = Omit<ReturnType<typeof createMethods>, 'packBatch'> & {
  packBatch(files: SmallFile[]): Promise<PackedBatch>
}
