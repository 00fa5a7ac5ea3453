// @ts-check
// node build/workflows/start-packed.js: starts the program that `npm run package -- --dir` has made here, waits until its panel is
// open, and ends it as the system would. Fails where it ends by itself, does not open, or does not end in order.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Plain, at, main, say } from '../scripts/project.js'
import { onDisplay } from './display.js'

/** Milliseconds until the panel is open, and until it has ended. A machine for tests is slow. */
const LIMIT = 90_000
/** So long it has to stay, in milliseconds: what breaks when the page is painted breaks by then. */
const STAYS = 5_000

/** The packed program. @param {NodeJS.Platform} platform @param {string} arch as Node names it */
export function packedProgram(platform, arch) {
  const kind = arch === 'x64' ? '' : `-${arch}`
  if (platform === 'darwin') return 'dist/mac-universal/Wheelhouse.app/Contents/MacOS/Wheelhouse'
  return platform === 'win32'
    ? `dist/win${kind}-unpacked/Wheelhouse.exe`
    : `dist/linux${kind}-unpacked/wheelhouse`
}

/**
 * @param {string} file the program @param {string[]} args @param {string} folder for its data
 * @param {{ limit?: number, stays?: number }} [times] in milliseconds
 */
export async function startAndEnd(file, args, folder, { limit = LIMIT, stays = STAYS } = {}) {
  const child = spawn(file, [...args, '--data', folder], { stdio: 'inherit' })
  /** @type {string | null} */
  let ended = null
  const end = new Promise((resolve) => {
    child.on('error', (error) => resolve((ended = error.message)))
    child.on('exit', (code, signal) => resolve((ended = `${signal ?? code}`)))
  })
  // Who holds the folder is written once the panel's core is about to open.
  const holder = path.join(folder, 'panel.holder.json')
  const latest = performance.now() + limit
  try {
    while (!existsSync(holder)) {
      if (ended !== null) throw new Plain(`The program ended by itself: ${ended}.`)
      if (performance.now() > latest) throw new Plain(`The program opened no panel within ${limit / 1000} s.`)
      await wait(100)
    }
    await Promise.race([wait(stays), end])
    if (ended !== null) throw new Plain(`The program did not stay open: ${ended}.`)
    child.kill('SIGTERM')
    await Promise.race([wait(limit, undefined, { ref: false }), end])
    if (ended === null) throw new Plain(`The program did not end within ${limit / 1000} s.`)
    // Windows has no signals: there it is just gone.
    if (process.platform !== 'win32' && ended !== '0') throw new Plain(`The program ended with ${ended}.`)
  } finally {
    if (ended === null) child.kill('SIGKILL')
  }
}

/** With this it runs on the display already. */
const HERE = '--here'

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    if (!process.argv.includes(HERE)) return onDisplay(import.meta.filename, [HERE])
    const file = at(packedProgram(process.platform, process.arch))
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wheelhouse-packed-'))
    try {
      await startAndEnd(file, [], folder)
      say(`${path.basename(file)} opened its panel and ended.`)
      return 0
    } finally {
      say(await readFile(path.join(folder, 'logs/panel.log'), 'utf8').catch(() => 'It wrote no log.'))
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  })
