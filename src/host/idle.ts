import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often a program looks whether it rests, in milliseconds. */
const LOOK_EVERY = 5000
/** CPU time between two looks, in milliseconds of one core: up to so much is rest, more is work. */
const REST_MOST = 250
/** Looks at rest until what the work left behind is collected: whoever pauses between two floods does not pay for it. */
const RESTING_LOOKS = 3

/**
 * Tells when a program rests after work. V8 collects garbage when new objects need room: a program that has nothing to do
 * any more keeps what its last work left behind for as long as it does nothing.
 */
export class WorkWatch {
  #last: number
  #worked = false
  #resting = 0

  /** @param cpuMs CPU time that the program has used so far, in milliseconds */
  constructor(cpuMs: number) {
    this.#last = cpuMs
  }

  /** Takes in what CPU time the program has used by now; true once after each piece of work, when it rests. */
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

/** Calls `release` whenever this program rests after work, until it is told to stop. */
export function onIdle(release: () => void): () => void {
  const watch = new WorkWatch(cpuMs())
  const looking = setInterval(() => watch.look(cpuMs()) && release(), LOOK_EVERY)
  looking.unref()
  return () => clearInterval(looking)
}

/** Of all threads of this program. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Collector = (how?: object) => void
let collect: Collector | null = null

/** Memory that an ordinary collection may leave empty, in bytes. */
const EMPTY_MOST = 1_000_000
/** What is in use where more of it is given back, in bytes: where that is more, to give it back would stop a thread for too long. */
const USED_MOST = 50_000_000

/**
 * Collects the garbage of this thread, and gives back the memory that it took: an ordinary collection keeps the pages that
 * it empties for later, as many as the work ever needed. Meanwhile nothing else is done in the thread, for 10 to 200 ms.
 * Never throws.
 */
export function collectGarbage(): void {
  collect ??= collector()
  collect()
  const { heapTotal, heapUsed } = process.memoryUsage()
  // It collects several times in a row. An engine that knows no such flavor collects as it ever does.
  if (heapTotal - heapUsed > EMPTY_MOST && heapUsed < USED_MOST)
    collect({ type: 'major', flavor: 'last-resort' })
}

/**
 * V8 gives the function for it to contexts that are made while a flag is set. So it is had in Electron's main process too,
 * which takes no flags of ours when it starts.
 */
function collector(): Collector {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext("typeof gc === 'function' ? gc : () => undefined") as Collector
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
