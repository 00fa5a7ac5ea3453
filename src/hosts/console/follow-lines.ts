import type { EventQueue } from '../base/event-queue.ts'
import type { LineLog } from './line-log.ts'

/** Events of a console's lines, from the last that a window has. Returns what ends it. */
export function followLines(
  serverId: string,
  lines: Promise<LineLog>,
  after: string | undefined,
  out: EventQueue,
): () => void {
  let isEnded = false
  let end: (() => void) | undefined
  lines
    .then((log) => {
      if (isEnded) return
      const isKnown = after !== undefined && log.knows(after)
      end = follow(serverId, log, isKnown ? after : log.lastId, out)
    })
    .catch(() => undefined)
  return () => {
    isEnded = true
    end?.()
  }
}

/** Those of one turn together, and none while main doesn't keep up: the log holds them meanwhile. */
function follow(serverId: string, log: LineLog, from: string, out: EventQueue): () => void {
  let last = from
  let turn: NodeJS.Immediate | null = null
  const flush = () => {
    turn = null
    for (const news of log.after(last)) {
      if (out.isFull) return
      last = news.kind === 'lines' ? news.lines.at(-1)!.id : news.to
      if (news.kind === 'lines') out.emit({ event: 'lines', data: { serverId, lines: news.lines } })
      else out.emit({ event: 'gap', data: { serverId, from: news.from, to: news.to } })
    }
  }
  const soon = () => (turn ??= setImmediate(flush))
  const ends = [log.listen(soon), out.listen(soon)]
  soon()
  return () => {
    ends.forEach((end) => end())
    if (turn) clearImmediate(turn)
  }
}

export interface WatchRequest {
  servers: string[]
  /** Those whose consoles are shown. */
  lines: ReadonlySet<string>
  /** The last line that each window has, by server. */
  after: ReadonlyMap<string, string>
}

/** As the operation `console.events` asks. */
export function watchRequest(query: {
  servers: string
  lines?: string | undefined
  after?: string | undefined
}): WatchRequest {
  const servers = query.servers.split(',')
  return {
    servers,
    lines: new Set(query.lines === undefined ? servers : query.lines.split(',').filter(Boolean)),
    after: new Map(
      (query.after ?? '').split(',').flatMap((one): [string, string][] => {
        const at = one.indexOf(':')
        return at > 0 ? [[one.slice(0, at), one.slice(at + 1)]] : []
      }),
    ),
  }
}
