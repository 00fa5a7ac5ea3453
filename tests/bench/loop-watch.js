// @ts-check
// node --import …: a program that notes how long its event loop works at one go. SIGUSR2 begins; the next one writes the
// longest to the file of WHEELHOUSE_LOOP, in ms of processor time, so that what else the computer does is not counted.
import { writeFileSync } from 'node:fs'

const EVERY_MS = 2
/** @type {NodeJS.Timeout | undefined} */
let looking
let longest = 0
let before = process.threadCpuUsage()

const used = () => {
  const { user, system } = process.threadCpuUsage(before)
  longest = Math.max(longest, (user + system) / 1000)
  before = process.threadCpuUsage()
}

process.on('SIGUSR2', () => {
  if (looking) {
    clearInterval(looking)
    looking = undefined
    return writeFileSync(process.env.WHEELHOUSE_LOOP ?? '', String(longest))
  }
  longest = 0
  before = process.threadCpuUsage()
  looking = setInterval(used, EVERY_MS)
})
