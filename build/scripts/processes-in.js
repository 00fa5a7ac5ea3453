// @ts-check
// Which programs belong to a run, told by its folder for temporary files, and which disks are mounted there.
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The processes whose folder for temporary files is this one or lies in it, that work in it or were started with a path
 * in it, and all that these started. Not this process. None on Windows, which does not tell.
 * @param {string} folder
 * @returns {Promise<number[]>} their ids
 */
export async function processesIn(folder) {
  // A prefix of it is another folder.
  if (folder.length < 5 || !path.isAbsolute(folder)) return []
  const all = process.platform === 'linux' ? await fromProc(folder) : await fromPs(folder)
  const found = new Set(all.filter(({ isIn }) => isIn).map(({ pid }) => pid))
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  found.delete(process.pid)
  return [...found]
}

/** @typedef {{ pid: number, parent: number, isIn: boolean }} Row */

/** @param {string} folder @returns {Promise<Row[]>} */
async function fromProc(folder) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    ids.map(async (id) => {
      const read = (/** @type {string} */ name) => readFile(`/proc/${id}/${name}`, 'latin1').catch(() => '')
      const [line, environment, stat, cwd] = await Promise.all([
        read('cmdline'),
        read('environ'),
        read('stat'),
        readlink(`/proc/${id}/cwd`).catch(() => ''),
      ])
      // A name in brackets may hold anything, spaces and brackets too.
      const [state = 'Z', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const named = holds(line, folder) || holds(`${cwd}\0`, folder) || holds(environment, folder)
      // Who has ended and was not asked about yet can only be waited for.
      return { pid: Number(id), parent: Number(parent), isIn: named && state !== 'Z' }
    }),
  )
}

/** Whether a text names the folder or what is in it, and not one whose name begins alike. @param {string} text @param {string} folder */
const holds = (text, folder) => text.includes(`${folder}/`) || text.includes(`${folder}\0`)

/** @param {string} folder @returns {Promise<Row[]>} */
async function fromPs(folder) {
  if (process.platform === 'win32') return []
  const { stdout } = await run('ps', ['-axwwE', '-o', 'pid=,ppid=,command='], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), parent: Number(parent), isIn: command.includes(folder) }] : []
  })
}

/**
 * Unmounts what is mounted in a folder, even where something still uses it.
 * @param {string} folder
 */
export async function unmountIn(folder) {
  const mounts =
    process.platform === 'linux' ? await readFile('/proc/self/mounts', 'utf8').catch(() => '') : ''
  const points = mounts
    .split('\n')
    // A space in a path is written as \040.
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((point) => point.startsWith(`${folder}/`))
  for (const point of points.reverse()) await run('umount', ['--lazy', point]).catch(() => {})
}
