import { readSign } from './log-lines.ts'
import { dayOf, dayOfName, logTimes } from './log-times.ts'
import { plainLine } from './plain-line.ts'

/** What a log says of who was there. Times in ms since 1970. */
export interface LoggedSessions {
  sessions: { name: string; joinedAt: number; leftAt: number }[]
  known: { name: string; uuid: string; at: number }[]
}

/** Taken of one log at most. */
const SESSIONS_MOST = 20_000
/** Players who are there at once at most. */
const OPEN_MOST = 1000

/**
 * Reads the lines of one log, one after the other. A session that was not seen to end did so with the server, or with the
 * last line.
 */
export class LogReader {
  readonly #found: LoggedSessions = { sessions: [], known: [] }
  readonly #open = new Map<string, { name: string; joinedAt: number }>()
  readonly #times: ReturnType<typeof logTimes>
  /** Whether the day is that of the last line, so that all moves when that is known. */
  readonly #endsAt: number | null
  #last = 0

  /** @param modifiedAt ms since 1970, for a log whose name says no day */
  constructor(name: string, modifiedAt: number) {
    const day = dayOfName(name)
    this.#endsAt = day ? null : modifiedAt
    this.#times = logTimes(day ?? dayOf(modifiedAt))
  }

  take(printed: string): void {
    const line = plainLine(printed)
    // Of nearly all lines the time alone matters, and that of the last one.
    const sign = readSign(line)
    const at = this.#times.at(line)
    if (at !== null) this.#last = at
    if (!sign || at === null) return
    switch (sign.kind) {
      case 'joined':
        if (this.#open.size < OPEN_MOST && !this.#open.has(sign.name))
          this.#open.set(sign.name, { name: sign.name, joinedAt: at })
        return
      case 'left':
        return this.#end(sign.name, at)
      case 'known':
        if (this.#found.known.length < SESSIONS_MOST) this.#found.known.push({ ...sign, at })
        return
      case 'online':
      case 'stopping':
        // Nobody is there before a server is, and nobody stays.
        for (const name of [...this.#open.keys()]) this.#end(name, at)
    }
  }

  end(): LoggedSessions {
    for (const name of [...this.#open.keys()]) this.#end(name, this.#last)
    // The days were counted from that of the last line on, so all lies that many days too late.
    const late = this.#endsAt === null ? 0 : this.#times.days()
    if (late === 0) return this.#found
    const earlier = (ms: number) => {
      const date = new Date(ms)
      return date.setDate(date.getDate() - late)
    }
    return {
      sessions: this.#found.sessions.map(({ name, joinedAt, leftAt }) => ({
        ...{ name, joinedAt: earlier(joinedAt), leftAt: earlier(leftAt) },
      })),
      known: this.#found.known.map((one) => ({ ...one, at: earlier(one.at) })),
    }
  }

  #end(name: string, at: number): void {
    const open = this.#open.get(name)
    this.#open.delete(name)
    if (!open || this.#found.sessions.length >= SESSIONS_MOST) return
    this.#found.sessions.push({ ...open, leftAt: Math.max(at, open.joinedAt) })
  }
}
