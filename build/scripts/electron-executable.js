// @ts-check
// Finds Electron's executable without asking its package, which would start a download and throw.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { at, node24, run } from './project.js'

const day = 24 * 60 * 60 * 1000
/** Milliseconds a fetch may take before the panel opens in the browser instead. */
const limit = 20_000
/** Milliseconds it may take where somebody wants Electron and nothing else: it has more than 100 MB. */
export const PATIENT = 10 * 60_000

/**
 * What the search looks at; tests bring their own.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} root whether we run as root
 * @property {string} folder Electron's package
 * @property {string} failure file that remembers a fetch that failed
 * @property {() => number} now milliseconds since 1970
 * @property {(timeout: number) => Promise<boolean>} fetch gets the executable within so many ms; false where that fails
 */

/** @type {Machine} */
const thisMachine = {
  platform: process.platform,
  env: process.env,
  root: process.getuid?.() === 0,
  folder: at('node_modules/electron'),
  failure: at('node_modules/.cache/wheelhouse-electron-failed'),
  now: Date.now,
  async fetch(timeout) {
    const script = at('node_modules/electron/install.js')
    if (!existsSync(script)) return false
    return (await run(node24(), [script], { quiet: true, timeout })).code === 0
  },
}

/** @param {Machine} machine @returns {Promise<string | null>} the executable, where it is on this machine */
async function present({ env, folder, platform }) {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  const inside =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[
      /** @type {string} */ (platform)
    ] ?? 'electron'
  const named = (await readFile(path.join(folder, 'path.txt'), 'utf8').catch(() => '')).trim()
  const file = override ? path.join(override, named || inside) : named ? path.join(folder, 'dist', named) : ''
  return file && existsSync(file) ? file : null
}

/** @param {Machine} machine @returns {string | null} why this machine cannot show a window at all */
function noWindow({ platform, env, root }) {
  if (platform !== 'linux') return null
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'There is no display'
  // Chromium's sandbox does not work for root, and the panel is not run without it.
  return root ? 'Electron does not run as root' : null
}

/**
 * Finds the executable, or fetches it within a limit. A failure is remembered for a day; whoever is patient tries all the same.
 * @param {Machine} [machine]
 * @param {number} [timeout] ms
 * @returns {Promise<{ file: string } | { reason: string }>} a reason is the beginning of a sentence
 */
export async function electronExecutable(machine = thisMachine, timeout = limit) {
  const { env, failure, now } = machine
  const hindrance = noWindow(machine)
  if (hindrance) return { reason: hindrance }
  const file = await present(machine)
  if (file) return { file }
  if (env.ELECTRON_OVERRIDE_DIST_PATH) {
    return { reason: 'There is no Electron in the folder ELECTRON_OVERRIDE_DIST_PATH names' }
  }
  const failedAt = Number(await readFile(failure, 'utf8').catch(() => '0'))
  if (timeout <= limit && now() - failedAt < day)
    return { reason: 'Electron is not here and could not be fetched lately' }
  const fetched = (await machine.fetch(timeout)) ? await present(machine) : null
  if (fetched) {
    await rm(failure, { force: true })
    return { file: fetched }
  }
  await mkdir(path.dirname(failure), { recursive: true })
  await writeFile(failure, String(now()))
  return { reason: `Electron is not here and could not be fetched within ${timeout / 1000} s` }
}
