import { stripVTControlCharacters } from 'node:util'

/** Minecraft's color codes, and what a terminal adds before a line. */
const DECORATION = /§[0-9a-fk-or]|\r|^>\.{0,3} ?/gi
/** `[12:00:01 INFO]: `, as consoles show it, and `[12:00:01] [Server thread/INFO]: `, as log files do. */
const HEAD =
  /^\[(?:\d{1,2}[A-Za-z]{3}\d{4} )?(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:\] \[[^\]]*\/| )(\w+)\](?: \[[^\]]*\])?:? ?/

/** The part of a line that a console and its log file share: time, level and text. */
export function keyOf(line: string): string {
  const plain = stripVTControlCharacters(line).replaceAll(DECORATION, '').trimEnd()
  const head = HEAD.exec(plain)
  return head ? `${head[1]} ${head[2]} ${plain.slice(head[0].length)}` : plain
}

/** Lines compared at a possible place. */
const RUN_MOST = 200
/** Places looked at for one line: a flood may repeat the same text. */
const PLACES_MOST = 2000
/** Lines of a console that its file lacks, such as output past the logger, before a place is given up. */
const SKIPPED_MOST = 50

/**
 * The index after the last of `known` in a log, or null if none of its newest lines is there. Lines that only the
 * console had are passed over.
 */
export function endIn(log: readonly string[], known: readonly string[]): number | null {
  const places = placesOf(log)
  for (let newest = known.length - 1; newest >= Math.max(0, known.length - SKIPPED_MOST); newest--) {
    const found = places.get(known[newest]!)
    if (!found) continue
    let best = { run: 0, at: -1 }
    for (const at of found.slice(-PLACES_MOST).reverse()) {
      const run = runBefore(log, at, known, newest)
      if (run > best.run) best = { run, at }
      if (run >= RUN_MOST) break
    }
    if (isSure(best.run, known.slice(0, newest + 1), found.length)) return best.at + 1
  }
  return null
}

/** The index of the first of `later` in a log from `start` on; the log's end if none is there. */
export function beginIn(log: readonly string[], start: number, later: readonly string[]): number {
  const places = placesOf(log)
  for (const [first, key] of later.slice(0, SKIPPED_MOST).entries()) {
    let best = { run: 0, at: -1 }
    for (const at of (places.get(key) ?? []).filter((one) => one >= start).slice(0, PLACES_MOST)) {
      let run = 0
      while (run < RUN_MOST && at + run < log.length && log[at + run] === later[first + run]) run++
      // To the end of both is as much as there can be.
      if (at + run === log.length) run += RUN_MOST
      if (run > best.run) best = { run, at }
    }
    if (best.at >= 0) return best.at
  }
  return log.length
}

function placesOf(log: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, key] of log.entries()) {
    const found = places.get(key)
    if (found) found.push(at)
    else places.set(key, [at])
  }
  return places
}

/** How many lines before two places are the same; those that only the console had count for nothing. */
function runBefore(log: readonly string[], at: number, known: readonly string[], newest: number): number {
  let run = 0
  let skipped = 0
  for (let mine = newest; mine >= 0 && at >= 0 && run < RUN_MOST; mine--) {
    if (log[at] === known[mine]) {
      run++
      at--
    } else if (++skipped > SKIPPED_MOST) break
  }
  return run
}

/** A single line in common proves a place only where it is the only one, and says when it was written. */
const isSure = (run: number, known: readonly string[], places: number): boolean =>
  run >= Math.min(3, known.length) ||
  (run >= 1 && places === 1 && /^\d{2}:\d{2}:\d{2} /.test(known.at(-1) ?? ''))
