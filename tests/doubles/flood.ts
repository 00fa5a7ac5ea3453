import { spawn } from 'node:child_process'

/**
 * The flood program: a stand-in for a game server that prints what it is told to.
 *   flood N       N numbered lines at once          rate R S    R lines a second for S seconds
 *   say TEXT      says it as a server does          crash CODE  ends at once
 *   hang          no longer stops when asked        tree        starts a child that stays
 *   error TEXT    writes to the error output        print TEXT  writes TEXT without a line end
 */
const clock = () => new Date().toTimeString().slice(0, 8)
const print = (text: string) => process.stdout.write(`[${clock()} INFO]: ${text}\n`)

let hangs = false
let counted = 0

function numbered(count: number): string {
  const prefix = `[${clock()} INFO]: `
  let text = ''
  for (let i = 0; i < count; i++) {
    counted++
    text += `${prefix}Line ${counted} of the flood: Saving chunks for level 'world'/minecraft:overworld\n`
  }
  return text
}

const drained = () => new Promise((resolve) => process.stdout.once('drain', resolve))

async function flood(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1000)
    if (!process.stdout.write(numbered(Math.min(1000, left)))) await drained()
  print(`Flood of ${count} lines is over`)
}

function rate(perSecond: number, seconds: number): void {
  const start = performance.now()
  const all = perSecond * seconds
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(all, Math.floor(((performance.now() - start) / 1000) * perSecond))
    // A reader that is slower than the rate is seen by the lines that are still missing at the end.
    if (due > sent && process.stdout.writableLength < 1024 * 1024) {
      process.stdout.write(numbered(due - sent))
      sent = due
    }
    if (sent < all) return
    clearInterval(timer)
    const took = ((performance.now() - start) / 1000).toFixed(2)
    print(`Rate of ${perSecond} a second: ${all} lines in ${took} s`)
  }, 5)
}

function stop(): void {
  if (hangs) return
  print('Stopping server')
  process.exit(0)
}

function obey(line: string): void {
  const [word, ...words] = line.trim().split(' ')
  const text = words.join(' ')
  switch (word) {
    case 'flood':
      return void flood(Number(text))
    case 'rate':
      return rate(Number(words[0]), Number(words[1]))
    case 'say':
      return void print(`[Server] ${text}`)
    case 'list':
      return void print('There are 0 of a max of 0 players online: ')
    case 'crash':
      return process.exit(Number(text || 1))
    case 'hang':
      hangs = true
      return void print('It no longer stops when asked')
    case 'tree': {
      const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
        stdio: 'ignore',
        detached: text === 'detached',
      })
      child.on('error', (error) => print(`No child: ${error.message}`))
      return void print(`Child ${child.pid}`)
    }
    case 'error':
      return void process.stderr.write(`${text}\n`)
    case 'print':
      return void process.stdout.write(text)
    case 'join':
      return void print(`${text} joined the game`)
    case 'leave':
      return void print(`${text} left the game`)
    case 'stop':
      return stop()
    default:
      print('Unknown command. Type "help" for help.')
  }
}

process.on('SIGTERM', stop)
// When its service has died it ends, unless it hangs: then it is a survivor.
let rest = ''
process.stdin
  .setEncoding('utf8')
  // `readline` would end a line at U+2028, too.
  .on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    lines.forEach(obey)
  })
  .on('end', () => hangs || process.exit(0))
setInterval(() => undefined, 1 << 30)
process.stdout.on('error', () => undefined)
print('Done (0.001s)! For help, type "help"')
