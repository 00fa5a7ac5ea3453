import { readSign } from './log-lines.ts'
import { dayOf, dayOfName, logTimes } from './log-times.ts'
import { plainLine } from '../../../contract/rules/game/plain-line.ts'

/** Unix ms. */
export interface LoggedSessions {
  sessions: { name: string; joinedAt: number; leftAt: number }[]
  known: { name: string; uuid: string; at: number }[]
}

const SESSIONS_MOST = 20_000
const OPEN_MOST = 1000

/** Reads one log, line by line. Open sessions end with the server, or the last line. */
export class LogReader {
  readonly #found: LoggedSessions = { sessions: [], known: [] }
  readonly #open = new Map<string, { name: string; joinedAt: number }>()
  readonly #times: ReturnType<typeof logTimes>
  /** Set if the known day is that of the last line: times are shifted at the end. */
  readonly #endsAt: number | null
  #last = 0

  /** @param modifiedAt Unix ms, for logs without a day in their name */
  constructor(name: string, modifiedAt: number) {
    const day = dayOfName(name)
    this.#endsAt = day ? null : modifiedAt
    this.#times = logTimes(day ?? dayOf(modifiedAt))
  }

  take(printed: string): void {
    const line = plainLine(printed)
    // Most lines only matter for their time.
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
        // Restarts end all sessions.
        for (const name of [...this.#open.keys()]) this.#end(name, at)
    }
  }

  end(): LoggedSessions {
    for (const name of [...this.#open.keys()]) this.#end(name, this.#last)
    // Counting started at the last line's day, so everything is this many days late.
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
