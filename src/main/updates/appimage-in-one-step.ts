import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  chmodSync,
} from 'node:fs'
import { isAbsolute } from 'node:path'
import { AppImageUpdater } from 'electron-updater'
import { copyName } from './leftover-copies.ts'

/** The library deletes the old file first: a full disk or a kill in between would leave nothing to start. */
export class AppImageInOneStep extends AppImageUpdater {
  protected override doInstall(): boolean {
    const target = process.env['APPIMAGE'] ?? ''
    const source = this.downloadedUpdateHelper?.file
    const expected = this.downloadedUpdateHelper?.downloadedFileInfo?.sha512
    if (!isAbsolute(target) || !source || !expected) throw new Error('There is no downloaded update.')
    replaceInOneStep(source, expected, target)
    rmSync(source, { force: true })
    // The caller starts the new version after exit: until then its mount folder is in use.
    return true
  }
}

/** Verifies the checksum, then replaces atomically. If it throws, the target is unchanged. */
function replaceInOneStep(source: string, sha512: string, target: string): void {
  // In the same folder, hence on the same disk, under a unique name.
  const fresh = copyName(target, randomUUID())
  copyFileSync(source, fresh, constants.COPYFILE_EXCL)
  try {
    chmodSync(fresh, 0o755)
    // The cached file may have been changed since the download.
    if (sha512Of(fresh) !== sha512)
      throw Object.assign(new Error('The downloaded file was changed.'), { code: 'ERR_CHECKSUM_MISMATCH' })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** Base64 as in feeds; read in chunks, and synced to disk. */
function sha512Of(file: string): string {
  const hash = createHash('sha512')
  const piece = Buffer.allocUnsafe(1024 * 1024)
  const descriptor = openSync(file, 'r+')
  try {
    for (let bytes; (bytes = readSync(descriptor, piece)) > 0;) hash.update(piece.subarray(0, bytes))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('base64')
}
