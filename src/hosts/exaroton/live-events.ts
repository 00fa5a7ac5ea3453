import { setTimeout as wait } from 'node:timers/promises'
import type { HostEvent } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { EventQueue } from '../base/event-queue.ts'
import { followLines, type WatchRequest } from '../console/follow-lines.ts'
import type { ExarotonServer } from './answers.ts'
import type { ServerConsole } from './server-console.ts'
import { type ExarotonServers, ONLINE, statusOf } from './servers.ts'

/** Between looks at servers without a socket, ms. */
const LOOK_MS = 30_000

/** Events of several servers: from the sockets of those that have one, from the list for the others. */
export function liveEvents(
  { servers, lines, after }: WatchRequest,
  caller: Caller,
  rooms: { servers: ExarotonServers; consoleOf: (serverId: string) => ServerConsole },
): AsyncIterable<HostEvent> {
  const ends: (() => void)[] = []
  const out = new EventQueue(() => ends.forEach((end) => end()))
  const emit = (event: HostEvent) => out.emit(event)
  const wanted = new Set([...servers, ...lines])
  const told = new Map<string, string>()
  const tell = (server: ExarotonServer) => {
    if (!wanted.has(server.id)) return
    const events = eventsOf(server)
    const text = JSON.stringify(events)
    if (told.get(server.id) === text) return
    told.set(server.id, text)
    events.forEach(emit)
  }
  ends.push(rooms.servers.listen(tell))
  for (const serverId of wanted) {
    const known = rooms.servers.known(serverId)
    if (known) tell(known)
  }
  for (const serverId of lines) {
    const console = rooms.consoleOf(serverId)
    ends.push(
      console.listen((stats) => emit({ event: 'stats', data: { serverId, stats } })),
      followLines(serverId, console.lines(), after.get(serverId), out),
    )
  }
  if (servers.some((id) => !lines.has(id))) void lookAt(caller, rooms.servers)
  return out.events
}

/** What is found is told to those who listen. */
async function lookAt(caller: Caller, servers: ExarotonServers): Promise<void> {
  while (!caller.signal.aborted) {
    // A failure is told by the reads of the views.
    await servers.list(caller).catch(() => [])
    await wait(LOOK_MS, undefined, { signal: caller.signal, ref: false }).catch(() => undefined)
  }
}

function eventsOf(server: ExarotonServer): HostEvent[] {
  const { id: serverId, players } = server
  const status = statusOf(server)
  const events: HostEvent[] = [{ event: 'status', data: { serverId, status } }]
  if (server.status !== ONLINE || !status.players) return events
  const names = players?.list
  return [...events, { event: 'players', data: { serverId, players: { ...status.players, names } } }]
}
