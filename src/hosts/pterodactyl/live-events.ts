import { setTimeout as wait } from 'node:timers/promises'
import type { HostEvent } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { EventQueue } from '../base/event-queue.ts'
import type { PanelServers } from './servers.ts'
import { followLines, type WatchRequest } from '../console/follow-lines.ts'
import type { ServerConsole } from './server-console.ts'

/** Between looks at servers whose console isn't shown, ms. Panels allow few requests a minute. */
const LOOK_MS = 30_000
/** Between looks at who plays, ms. */
const PLAYERS_MS = 10_000

/** Events of several servers: from the sockets that are open, from the list for the others. */
export function liveEvents(
  { servers, lines, after }: WatchRequest,
  caller: Caller,
  rooms: { servers: PanelServers; consoleOf: (serverId: string) => ServerConsole },
): AsyncIterable<HostEvent> {
  const ends: (() => void)[] = []
  const out = new EventQueue(() => ends.forEach((end) => end()))
  const emit = (event: HostEvent) => out.emit(event)
  for (const serverId of lines) {
    const console = rooms.consoleOf(serverId)
    if (console.status) emit(statusOf(serverId, console.status))
    ends.push(
      console.listen((news) => {
        switch (news.kind) {
          case 'stats':
            return emit({ event: 'stats', data: { serverId, stats: news.stats } })
          case 'changed':
            return emit({ event: 'changed', data: { serverId, reads: news.reads } })
        }
      }),
    )
    ends.push(followLines(serverId, console.lines(), after.get(serverId), out))
    void watchPlayers(console, serverId, emit, { caller, servers: rooms.servers })
  }
  const watched = new Set([...servers, ...lines])
  ends.push(
    rooms.servers.listen((id, status) => {
      if (watched.has(id)) emit(statusOf(id, status))
    }),
  )
  const others = servers.filter((id) => !lines.has(id))
  void lookAt(others, emit, caller, rooms.servers)
  return out.events
}

async function lookAt(
  ids: readonly string[],
  emit: (event: HostEvent) => void,
  caller: Caller,
  servers: PanelServers,
): Promise<void> {
  if (ids.length === 0) return
  const wanted = new Set(ids)
  const told = new Map<string, string>()
  while (!caller.signal.aborted) {
    // A failure is told by the reads of the views.
    const list = await servers.list(caller).catch(() => [])
    for (const { id, status } of list) {
      if (typeof status !== 'string' || !wanted.has(id) || told.get(id) === status) continue
      told.set(id, status)
      emit(statusOf(id, status))
    }
    await wait(LOOK_MS, undefined, { signal: caller.signal, ref: false }).catch(() => undefined)
  }
}

/** What the game says at its port: Wings knows nothing of players. */
async function watchPlayers(
  console: ServerConsole,
  serverId: string,
  emit: (event: HostEvent) => void,
  { caller, servers }: { caller: Caller; servers: PanelServers },
): Promise<void> {
  let told = ''
  while (!caller.signal.aborted) {
    const pulse = console.status === 'online' ? await servers.pulse(serverId, caller).catch(() => null) : null
    const now = JSON.stringify(pulse?.players ?? null)
    if (pulse?.players && now !== told) emit({ event: 'players', data: { serverId, players: pulse.players } })
    told = now
    await wait(PLAYERS_MS, undefined, { signal: caller.signal, ref: false }).catch(() => undefined)
  }
}

const statusOf = (serverId: string, status: string): HostEvent => ({
  event: 'status',
  data: { serverId, status: { status } },
})
