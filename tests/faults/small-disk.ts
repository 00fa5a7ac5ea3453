import { execFile } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Stage } from './stage.ts'

const run = promisify(execFile)
const STRIDE = Buffer.alloc(256 * 1024)

/** A disk of its own with a few megabytes, which can be filled and emptied at once. */
export class SmallDisk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Null where this user may not mount one. */
  static async mount(
    stage: Pick<Stage, 'at' | 'atEnd'>,
    name: string,
    megabytes: number,
  ): Promise<SmallDisk | null> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
    const folder = stage.at(name)
    mkdirSync(folder, { recursive: true })
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'wheelhouse-faults', folder])
    } catch {
      return null
    }
    stage.atEnd(() => run('umount', ['--lazy', folder]))
    return new SmallDisk(folder)
  }

  /** Takes all there is, but so many bytes. Does not wait, so that it can be done at an exact moment. */
  fill(left = 0): void {
    const file = openSync(this.#filler, 'w')
    try {
      for (;;) writeSync(file, STRIDE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      if (left > 0) ftruncateSync(file, Math.max(0, fstatSync(file).size - left))
    } finally {
      closeSync(file)
    }
  }

  /** Gives it back. */
  clear(): void {
    rmSync(this.#filler, { force: true })
  }

  get #filler(): string {
    return path.join(this.folder, '.filler')
  }
}

/** Why a case is left out where there is no small disk. */
export const NO_DISK = 'A full disk takes a small disk of its own, which only root of Linux may mount.'
