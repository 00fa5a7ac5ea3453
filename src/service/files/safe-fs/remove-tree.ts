import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, constants, lstatSync, openSync, renameSync, rmdirSync } from 'node:fs'
import { chmod, unlink } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { joined } from '../../../contract/rules/paths.ts'
import { type OpenedFolder, openRoot } from './opened-folder.ts'
import type { DiskPath } from '../names/raw-names.ts'
import type { FolderEntry } from './read-folder.ts'
import { walkTree } from './walk-tree.ts'
import { eachOf } from './walk.ts'
import { Yielder } from '../../../host/yield.ts'

/** Few parallel removals, since all users share libuv's threads. */
const AT_ONCE = 4
/** Deeper folders are moved to the top first: macOS can't reach them in place. */
const DEEPEST = 64
/** Retries while a file is in use briefly, for example by a virus scanner. */
const TRIES = 4
const PAUSE_MS = 100

const { O_DIRECTORY, O_NOFOLLOW } = constants
/** Opens a folder without read permission. Linux only; missing in Node's constants. */
const O_PATH = 0x200000

/** Follows no links and handles extreme depth. Removes what it can, then throws the first error. */
export async function removeTree(at: DiskPath): Promise<void> {
  for (let tries = 1; ; tries++) {
    const error = await removeOnce(at)
    if (error === null) return
    if (tries === TRIES || !isMomentary(error)) throw error
    await setTimeout(tries * PAUSE_MS)
  }
}

const isMomentary = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  ['ENOTEMPTY', 'EBUSY', 'EMFILE', 'ENFILE'].includes(code) ||
  (code === 'EPERM' && process.platform === 'win32')

async function removeOnce(at: DiskPath): Promise<NodeJS.ErrnoException | null> {
  const failures = new Failures()
  try {
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (!stat) return null
    if (!stat.isDirectory()) await removeFile(at)
    else {
      takeRights(at)
      {
        using top = openRoot(at)
        while (await emptied(top, failures)) failures.forget()
      }
      rmdirSync(at)
    }
  } catch (error) {
    failures.add(error, '')
  }
  return failures.first
}

class Failures {
  first: NodeJS.ErrnoException | null = null

  add(error: unknown, name: string): void {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code === undefined) throw error
    this.first ??= Object.assign(new Error(message), { code, path: name })
  }

  forget(): void {
    this.first = null
  }
}

/** Returns true if folders were moved up and it has to run again. */
async function emptied(top: OpenedFolder, failures: Failures): Promise<boolean> {
  const yielder = new Yielder()
  let isMoved = false
  for await (const step of walkTree(top, (error, name) => failures.add(error, name))) {
    const { folder } = step
    const failed = (error: unknown, name: string) => failures.add(error, joined(folder.path, name))
    if (step.kind === 'out') {
      attempt(
        () => rmdirSync(folder.at(step.name)),
        (error) => failed(error, step.name),
      )
      continue
    }
    const entries = step.entries.splice(0)
    const removed = ({ name }: FolderEntry) =>
      removeFile(folder.at(name)).catch((error: unknown) => failed(error, name))
    await eachOf(
      entries.filter(({ kind }) => kind !== 'folder'),
      removed,
      AT_ONCE,
    )
    for (const entry of entries.filter(({ kind }) => kind === 'folder')) {
      await yielder.next()
      const at = folder.at(entry.name)
      // This also removes empty folders that can't be opened.
      if (attempt(() => rmdirSync(at))) continue
      takeRights(at)
      if (step.depth < DEEPEST) step.entries.push(entry)
      else {
        const moveUp = () => renameSync(at, top.at(`deeper-${randomUUID()}`))
        isMoved = attempt(moveUp, (error) => failed(error, entry.name)) || isMoved
      }
    }
  }
  return isMoved
}

function attempt(act: () => void, failed: (error: unknown) => void = () => undefined): boolean {
  try {
    act()
    return true
  } catch (error) {
    failed(error)
    return false
  }
}

function takeRights(at: DiskPath): void {
  try {
    if ((lstatSync(at).mode & 0o700) === 0o700) return
    if (process.platform !== 'linux') return chmodSync(at, 0o700)
    const fd = openSync(at, O_PATH | O_DIRECTORY | O_NOFOLLOW)
    try {
      chmodSync(`/proc/self/fd/${fd}`, 0o700)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Another user's folder: removing its contents may still work, or fails with the reason.
  }
}

async function removeFile(at: DiskPath): Promise<void> {
  try {
    await unlink(at)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM' || process.platform !== 'win32') throw error
    await chmod(at, 0o600)
    await unlink(at)
  }
}
