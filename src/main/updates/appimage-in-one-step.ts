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

/**
 * Updates an AppImage in one step. The library's own way removes the old file before it has the new one in place: a full
 * disk or a kill between the two leaves nothing that can be started.
 */
export class AppImageInOneStep extends AppImageUpdater {
  protected override doInstall(): boolean {
    const target = process.env['APPIMAGE'] ?? ''
    const source = this.downloadedUpdateHelper?.file
    const expected = this.downloadedUpdateHelper?.downloadedFileInfo?.sha512
    if (!isAbsolute(target) || !source || !expected) throw new Error('There is no downloaded update.')
    replaceInOneStep(source, expected, target)
    rmSync(source, { force: true })
    // Whoever ends this program starts the new one then: while this one is there, that would find its folder in use.
    return true
  }
}

/** Copies a file over another one in one step, where it is what was expected. Throws; then the other one is as it was. */
function replaceInOneStep(source: string, sha512: string, target: string): void {
  // Beside it, and so on the same disk, under a name that nothing else has.
  const fresh = copyName(target, randomUUID())
  copyFileSync(source, fresh, constants.COPYFILE_EXCL)
  try {
    chmodSync(fresh, 0o755)
    // What lies in a cache folder may have been changed since it was downloaded.
    if (sha512Of(fresh) !== sha512)
      throw Object.assign(new Error('The downloaded file was changed.'), { code: 'ERR_CHECKSUM_MISMATCH' })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** The checksum of a file as a feed writes it, read in pieces; the file is on the disk then. */
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
