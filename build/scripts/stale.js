// @ts-check
// Builds out/ where something it is made of is newer.
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Plain, at, run, node24, say, seconds } from './project.js'

/** What out/ is made of. */
const sources = ['src', 'package.json', 'package-lock.json', 'electron.vite.config.ts', 'tsconfig.json']
const made = ['out/main/web.js', 'out/main/service.js', 'out/renderer/browser.html']

/**
 * When the newest file under a path changed. Tests do not count: no build holds them.
 * @param {string} file
 * @returns {Promise<number>} milliseconds since 1970; 0 where there is none
 */
export async function newest(file) {
  const found = await stat(file).catch(() => null)
  if (!found) return 0
  if (!found.isDirectory()) return /\.test\.ts$/.test(file) ? 0 : found.mtimeMs
  const names = await readdir(file)
  const times = await Promise.all(names.map((name) => newest(path.join(file, name))))
  // The folder itself too: a deleted file shows in nothing else.
  return Math.max(found.mtimeMs, ...times)
}

/** @returns {Promise<boolean>} */
async function isStale() {
  if (!made.every((file) => existsSync(at(file)))) return true
  const stamp = await stat(at('out/.stamp')).catch(() => null)
  if (!stamp) return true
  const times = await Promise.all(sources.map((file) => newest(at(file))))
  return Math.max(...times) > stamp.mtimeMs
}

/** @param {number} pid @returns {boolean} */
function lives(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Holds the right to build while `work` runs; a second one waits, for at most a minute.
 * @param {() => Promise<void>} work
 */
async function alone(work) {
  const lock = at('node_modules/.cache/wheelhouse-build')
  await mkdir(path.dirname(lock), { recursive: true })
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
      if (holder && !lives(holder)) await rm(lock, { force: true })
      else if (Date.now() > deadline) {
        throw new Plain(`Another build (process ${holder}) has not ended for a minute. End it and try again.`)
      } else await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/**
 * Builds what is stale; says how long it took, and nothing where nothing was to do. Throws {@link Plain} with the
 * builder's words where it fails.
 * @param {{ force?: boolean }} [options]
 */
export async function buildStale({ force = false } = {}) {
  if (!force && !(await isStale())) return
  await alone(async () => {
    if (!force && !(await isStale())) return
    const began = performance.now()
    const startedAt = new Date()
    const { code, output } = await run(
      node24(),
      [at('node_modules/electron-vite/bin/electron-vite.js'), 'build'],
      {
        quiet: true,
      },
    )
    if (code !== 0) throw new Plain(`${output.trim()}\n\nThe build failed. What stands above says why.`)
    await writeFile(at('out/.stamp'), '')
    // A file saved while the build ran is newer than the stamp.
    await utimes(at('out/.stamp'), startedAt, startedAt)
    say(`Built in ${seconds(began)}`)
  })
}
