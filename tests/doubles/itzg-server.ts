// Stands in for the program of an itzg/minecraft-server container: it reads its environment and its input, plays in
// /data, saves on TERM, and prints numbered lines.
import { readFileSync, writeFileSync } from 'node:fs'

const { VERSION = 'LATEST', SAVE_MS = '0', TICK_MS = '5' } = process.env
const say = (line: string) => console.log(`[12:00:00 INFO]: ${line}`)

/** Of all starts in this folder. */
const COUNT = '/data/count.txt'
let at = Number(readCount())

// Before it says that it is ready: the first process of a container gets no signal that it doesn't handle.
process.on('SIGTERM', stop)

console.log('[init] Running as uid=0 gid=0 with /data as a bind mount')
say(`Starting minecraft server version ${VERSION}`)
say('Done (1.234s)! For help, type "help"')
const ticking = setInterval(() => console.log(`tick ${at++}`), Number(TICK_MS))

function stop(): void {
  clearInterval(ticking)
  say('Stopping server')
  setTimeout(() => {
    writeFileSync(COUNT, String(at))
    say('All chunks are saved')
    process.exit(0)
  }, Number(SAVE_MS))
}

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  for (const line of text.split('\n').filter((one) => one !== ''))
    if (line === 'stop') stop()
    else if (line === 'crash') process.exit(1)
    else say(`heard ${line}`)
})

function readCount(): string {
  try {
    return readFileSync(COUNT, 'utf8')
  } catch {
    return '0'
  }
}
