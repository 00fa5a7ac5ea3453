import { consoleOperations as operations } from '../../../contract/areas/console.ts'
import { eventAnswer } from '../../http/pushed-events.ts'
import type { ConsoleLog } from '../../runtime/console/console-log.ts'
import { linesAfter, linesBefore } from '../../runtime/console/history.ts'
import { positionOf } from '../../runtime/console/line-id.ts'
import type { LinePosition } from '../../runtime/console/line-id.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { ServiceApp } from '../../http/serve.ts'
import type { StreamSubscription } from '../../runtime/event-stream.ts'
import type { Runtime } from '../../runtime/types.ts'

const HISTORY_LINES = 500
const WATCHED_MAX = 500
/** A command's answer waits this many ms for its output. */
const OUTPUT_MS = 4

export function mountConsole(app: ServiceApp, runtime: Pick<Runtime, 'find' | 'openStream'>): void {
  serve(app, operations.command, async ({ server, body }) => {
    const managed = runtime.find(server.id)
    const lineId = managed.command(body.command)
    await firstOutput(managed.console)
    return { accepted: true, lineId }
  })

  serve(app, operations.history, async ({ server, query }) => {
    const { console } = runtime.find(server.id)
    const limit = query.limit ?? HISTORY_LINES
    const before = query.before === undefined ? null : positionIn('before', query.before)
    if (query.after === undefined) return linesBefore(console, before, limit)
    if (before) throw refusal(422, 'request.invalid.before-or-after').at('before')
    return linesAfter(console, positionIn('after', query.after), limit)
  })

  serve(app, operations.events, ({ caller, kindsOf, mayRead, query, c }) => {
    const watched = watch(query, (serverId) => ({ kinds: kindsOf(serverId), server: runtime.find(serverId) }))
    // A stream outlives its request's checks, so it repeats them.
    const stream = runtime.openStream(watched, { ...caller, kindsOf, mayRead })
    return eventAnswer(stream, c)
  })
}

/**
 * Resolves after new lines were delivered, or after a moment: people wait for a command's output, not for its
 * acceptance.
 */
const firstOutput = (console: Pick<ConsoleLog, 'onAppend'>) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(late)
      stop()
      setImmediate(resolve)
    }
    const late = setTimeout(done, OUTPUT_MS)
    const stop = console.onAppend(done)
  })

function watch(
  query: { servers: string; lines?: string | undefined; after?: string | undefined },
  find: (serverId: string) => Pick<StreamSubscription, 'server' | 'kinds'>,
): StreamSubscription[] {
  const ids = [...new Set(split(query.servers))]
  if (ids.length === 0) throw refusal(422, 'request.invalid.watched').at('servers')
  if (ids.length > WATCHED_MAX)
    throw refusal(422, 'request.invalid.watched-many', { most: WATCHED_MAX }).at('servers')
  const wanted = query.lines === undefined ? null : new Set(split(query.lines))
  const places = new Map(
    split(query.after ?? '').map((text) => {
      const colon = text.lastIndexOf(':')
      return [text.slice(0, colon), positionIn('after', text.slice(colon + 1))] as const
    }),
  )
  const watched: StreamSubscription[] = []
  let missing: unknown
  for (const id of ids) {
    const after = places.get(id)
    const lines = wanted && !wanted.has(id) ? 'none' : after ? { after } : 'now'
    try {
      const found = find(id)
      watched.push({ ...found, lines: found.kinds.has('lines') ? lines : 'none' })
    } catch (error) {
      // One deleted server must not end the stream for the others.
      missing = error
    }
  }
  if (watched.length === 0) throw missing
  return watched
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function positionIn(field: string, text: string): LinePosition {
  const position = positionOf(text)
  if (!position) throw refusal(422, 'request.invalid.line-id', { id: text.slice(0, 60) }).at(field)
  return position
}
