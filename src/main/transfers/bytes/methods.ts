import { lstatSync, renameSync, closeSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import { packBatch, type PackedBatch, type SmallFile } from './pack-batch.ts'
import { createHash, type Hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'

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
export type Bytes = RemoteMethods<Methods>

const STRIDE = 1024 * 1024

function hashingMethods() {
  const hashes = new Map<string, { hash: Hash; at: number }>()
  const buffer = Buffer.allocUnsafe(STRIDE)
  return {
    /** A hash of bytes in order, passed in or read from a file that contains them from `at` on. */
    begin: (job: string, at = 0, algorithm: 'sha1' | 'sha256' | 'sha512' = 'sha256') =>
      void hashes.set(job, { hash: createHash(algorithm), at }),
    update: (job: string, bytes: Uint8Array) => void hashes.get(job)?.hash.update(bytes),
    /** Hashes the file up to `upTo`; false if the job was forgotten or the file is too short. */
    async hashUpTo(job: string, file: string, upTo: number): Promise<boolean> {
      const fd = openSync(file, 'r')
      try {
        for (;;) {
          const known = hashes.get(job)
          if (!known) return false
          if (known.at >= upTo) return true
          const read = readSync(fd, buffer, 0, Math.min(buffer.length, upTo - known.at), known.at)
          if (read === 0) return false
          known.hash.update(buffer.subarray(0, read))
          known.at += read
          await turn()
        }
      } finally {
        closeSync(fd)
      }
    },
    /** Base64; ends the job. */
    digest(job: string): string {
      const known = hashes.get(job)
      hashes.delete(job)
      return known?.hash.digest('base64') ?? ''
    },
    forget: (job: string) => void hashes.delete(job),
  }
}
