// @ts-check
// node build/scripts/run-watcher.js FOLDER: waits until whoever started it has ended, then ends what is left of that run.
import { rm } from 'node:fs/promises'
import { processesIn, unmountIn } from './processes-in.js'

const folder = process.argv[2] ?? ''
/** How often it looks again: what is being ended may have started something in the same moment. */
const ROUNDS = 50
const PAUSE_MS = 50

process.stdin.resume()
process.stdin.once('error', () => {})
process.stdin.once('close', () => void clear())
// Signals to a whole terminal are for the run; when that has ended, so has this.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => {})

async function clear() {
  let quiet = 0
  for (let round = 0; round < ROUNDS && quiet < 2; round++) {
    const left = await processesIn(folder)
    quiet = left.length === 0 ? quiet + 1 : 0
    for (const pid of left) end(pid)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await unmountIn(folder)
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  process.exit()
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
