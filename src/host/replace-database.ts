import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'

/**
 * Puts copies in the place of a database's files, while nobody here has it open: whoever had it open before, on whatever
 * computer, writes into files that nobody reads. Broken off, it can be done again.
 */
export function replaceDatabase(file: string): void {
  for (const one of [`${file}-wal`, file]) {
    if (!existsSync(one)) continue
    const fresh = `${one}.taken`
    rmSync(fresh, { recursive: true, force: true })
    copyFileSync(one, fresh)
    chmodSync(fresh, 0o600)
    const handle = openSync(fresh, 'r+')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(fresh, one)
  }
  // Others have it in their memory; it is made anew.
  rmSync(`${file}-shm`, { force: true })
}
