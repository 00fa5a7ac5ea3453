import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY = 5000
/** CPU ms per interval, of one core: up to this is idle, more is work. */
const REST_MOST = 250
/** Idle checks before collecting, so short pauses between bursts cost nothing. */
const RESTING_LOOKS = 3

/** Detects idleness after work: V8 collects only when new objects need room. */
export class WorkWatch {
  #last: number
  #worked = false
  #resting = 0

  constructor(cpuMs: number) {
    this.#last = cpuMs
  }

  /** Takes the CPU time used so far; returns true once after each stretch of work. */
  look(cpuMs: number): boolean {
    const isWork = cpuMs - this.#last > REST_MOST
    this.#last = cpuMs
    if (isWork) {
      this.#worked = true
      this.#resting = 0
    }
    if (isWork || !this.#worked || ++this.#resting < RESTING_LOOKS) return false
    this.#worked = false
    this.#resting = 0
    return true
  }
}

/** Calls `release` whenever this program becomes idle after work. Returns a function that stops this. */
export function onIdle(release: () => void): () => void {
  const watch = new WorkWatch(cpuMs())
  const looking = setInterval(() => watch.look(cpuMs()) && release(), LOOK_EVERY)
  looking.unref()
  return () => clearInterval(looking)
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Collector = (how?: object) => void
let collect: Collector | null = null

/** Unused heap that triggers the stronger collection, in bytes. */
const EMPTY_MOST = 1_000_000
/** Above this heap usage, in bytes, the stronger collection would block the thread too long. */
const USED_MOST = 50_000_000

/** Releases memory; an ordinary collection keeps emptied pages. Blocks the thread for 10 to 200 ms. Never throws. */
export function collectGarbage(): void {
  collect ??= collector()
  collect()
  const { heapTotal, heapUsed } = process.memoryUsage()
  // Collects several times in a row. Engines that don't know this flavor ignore it.
  if (heapTotal - heapUsed > EMPTY_MOST && heapUsed < USED_MOST)
    collect({ type: 'major', flavor: 'last-resort' })
}

/** V8 adds `gc` to contexts created while the flag is set, which also works in Electron's main process. */
function collector(): Collector {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext("typeof gc === 'function' ? gc : () => undefined") as Collector
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
