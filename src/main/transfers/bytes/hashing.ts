import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

/** Bytes read at once while hashing. */
const STRIDE = 1024 * 1024

/** Hashes that are made piece by piece, each under the name of its job. */
export function hashingMethods() {
  const hashes = new Map<string, { hash: Hash; at: number }>()
  const buffer = Buffer.allocUnsafe(STRIDE)
  return {
    /** Hashing, SHA-256, of bytes that come in order: handed over, or read from a file, there from `at` on. */
    begin: (job: string, at = 0) => void hashes.set(job, { hash: createHash('sha256'), at }),
    update: (job: string, bytes: Uint8Array) => void hashes.get(job)?.hash.update(bytes),
    /** Goes on to where the file's first so many bytes end; false where it was forgotten or the file is shorter. */
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
          // Others wait for this thread too.
          await turn()
        }
      } finally {
        closeSync(fd)
      }
    },
    /** The hash in base64, and its end. */
    digest(job: string): string {
      const known = hashes.get(job)
      hashes.delete(job)
      return known?.hash.digest('base64') ?? ''
    },
    forget: (job: string) => void hashes.delete(job),
  }
}
