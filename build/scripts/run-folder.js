// @ts-check
// Everything that a run of tests, faults or benches starts ends with it, however the run ends. The mark is the folder for
// temporary files: the run has one of its own, which every program inherits that it starts, game servers too.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { at } from './project.js'

/** The names of the variable that holds the folder for temporary files. */
const variables = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']

/** The folder of this process, where it has one: a runner may read its configuration more than once. */
const own = Symbol.for('wheelhouse.run-folder')
const held = /** @type {{ [own]?: string }} */ (/** @type {unknown} */ (process))

/** The system's folder in memory. */
const SHM = '/dev/shm'
/** What has to be free of it, and of memory: more than a run ever has in it at once. */
const ENOUGH_BYTES = 8 * 1024 ** 3

/**
 * Whether what passes can be in memory: tests make and remove countless small files, and a disk's journal takes a
 * sixteenth of their processor time and has them wait. Not where somebody names a folder, or where nothing can be run.
 */
function canUseMemory() {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return false
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .match(/^\S+ \/dev\/shm tmpfs \S+/gm)
      ?.at(-1)
    if (mounted === undefined || /[ ,](?:noexec|ro)(?:,|$)/.test(mounted)) return false
    const { bavail, bsize } = statfsSync(SHM)
    return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH_BYTES
  } catch {
    return false
  }
}

/**
 * Gives this process, and all that it starts from here on, a folder of its own for temporary files. When this process has
 * ended, by itself or by SIGKILL, a watcher ends every program that still lives with that folder, unmounts what is
 * mounted in it, and removes it. Runs may stand in one another: the inner one has its folder in that of the outer one.
 * @param {{ inMemory?: boolean }} [options] `inMemory`: where this computer has enough of it
 * @returns {string} the folder
 */
export function ownRunFolder({ inMemory = false } = {}) {
  if (held[own] !== undefined) return held[own]
  // Short: a socket's path below it has at most 108 characters.
  const folder = mkdtempSync(path.join(inMemory && canUseMemory() ? SHM : realpathSync(os.tmpdir()), 'wh-'))
  // Its input is a pipe whose other end is ours alone: the system closes it when we end, however that is.
  const watcher = spawn(process.execPath, [at('build/scripts/run-watcher.js'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // What ends our group must not end it.
    detached: true,
    windowsHide: true,
    cwd: path.parse(folder).root,
  })
  // Without it tests run as well; only what they leave behind stays.
  watcher.on('error', () => {})
  watcher.unref()
  const pipe = /** @type {import('node:net').Socket} */ (/** @type {unknown} */ (watcher.stdin))
  pipe.on('error', () => {})
  pipe.unref()
  for (const name of variables) process.env[name] = folder
  held[own] = folder
  return folder
}
