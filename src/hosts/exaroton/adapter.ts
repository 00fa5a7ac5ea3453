import { type HostAdapter, type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { inTurn, readForm } from '../base/form.ts'
import { scopesOffered } from '../base/scopes.ts'
import { Consoles } from '../console/consoles.ts'
import { watchRequest } from '../console/follow-lines.ts'
import { ServerIcons, withIcons } from '../game/icons.ts'
import type { HostPorts } from '../hosts.ts'
import { Account } from './answers.ts'
import { configOf } from './config.ts'
import { ExarotonApi, serverPath } from './exaroton-api.ts'
import { ExarotonFiles } from './files.ts'
import { liveEvents } from './live-events.ts'
import { ExarotonPlayers } from './players.ts'
import { ServerConsole, type StatsNews } from './server-console.ts'
import { ExarotonServers, ONLINE, statusOf } from './servers.ts'

/** Statistics come every second or so. */
const STATS_MS = 30_000
const FIRST_STATS_MS = 8000

/** An account of exaroton, by its key. */
export function openAdapter(base: string, { dispatcher, memory }: HostPorts): HostAdapter {
  const api = new ExarotonApi(base, dispatcher)
  const servers: ExarotonServers = new ExarotonServers(api, () => (offered ??= scopesOffered(operations)))
  const files = new ExarotonFiles(api, servers)
  const icons = new ServerIcons((id) => files.game(id), [403])
  const consoles = new Consoles((serverId, key) => {
    const callerOf = (signal: AbortSignal): Caller => ({ key, signal })
    return new ServerConsole({
      address: `${base.replace(/^http/, 'ws')}/${serverPath(serverId)}/websocket`,
      ...{ key, serverId, memory, dial: dispatcher.dial },
      log: (signal) => files.log(serverId, callerOf(signal)),
      look: (signal) => servers.look(serverId, callerOf(signal)),
      told: (server) => servers.told(server),
      memoryMb: () => servers.memoryMb(serverId),
    })
  })
  const players = new ExarotonPlayers(api, servers, files, consoles)
  let offered: ReturnType<typeof scopesOffered> | undefined
  const operations: HostOperations = {
    ...serversOf(api, servers),
    ...powerOf(api, consoles),
    ...consoleOf(servers, consoles, players),
    ...filesOf(files),
    ...playersOf(players),
    ...configOf(servers, files),
  }
  return { operations: withIcons(operations, icons), close: () => consoles.close() }
}

const serversOf = (api: ExarotonApi, servers: ExarotonServers): HostOperations => ({
  'account.me': async (caller) => {
    const { name, email, verified } = await api.read('account/', Account, caller)
    return { name, email, emailConfirmed: verified }
  },
  'hosting.credits': async (caller) => {
    const { credits } = await api.read('account/', Account, caller)
    if (typeof credits !== 'number') throw hostRefusal(502, 'exaroton.unreadable', { field: 'credits' })
    return { credits }
  },
  'servers.list': async (caller) => ({ items: await servers.list(caller), nextCursor: null }),
  'servers.read': (caller) => servers.read(caller.params.serverId, caller),
  'servers.status': async (caller) => statusOf(await servers.look(caller.params.serverId, caller)),
})

const powerOf = (api: ExarotonApi, consoles: Consoles<ServerConsole>): HostOperations => ({
  'servers.power': async (caller) => {
    const { action } = caller.body
    const at = `${serverPath(caller.params.serverId)}/${action}`
    switch (action) {
      case 'kill':
        throw hostRefusal(422, 'exaroton.no-kill')
      case 'start':
        await api.send(at, caller, { method: 'POST', json: { useOwnCredits: false }, isUrgent: true })
        break
      case 'stop':
      case 'restart':
        await api.send(at, caller, { isUrgent: true })
    }
    // Its socket tells what becomes of it.
    consoles.hold(caller.params.serverId, caller.key).release()
    return { accepted: true }
  },
})

const consoleOf = (
  servers: ExarotonServers,
  consoles: Consoles<ServerConsole>,
  players: ExarotonPlayers,
): HostOperations => ({
  'servers.stats': async (caller) => {
    const { serverId } = caller.params
    const known = servers.known(serverId) ?? (await servers.look(serverId, caller))
    if (known.status !== ONLINE) throw hostRefusal(409, 'server.not-online')
    using held = consoles.hold(serverId, caller.key)
    return held.console.recentStats(STATS_MS) ?? (await nextStats(held.console, caller.signal))
  },
  'console.events': (caller) => {
    const consoleOf = (id: string) => {
      const { console, release } = consoles.hold(id, caller.key)
      caller.signal.addEventListener('abort', release, { once: true })
      return console
    }
    return liveEvents(watchRequest(caller.query), caller, { servers, consoleOf })
  },
  'console.history': async (caller) => {
    using held = consoles.hold(caller.params.serverId, caller.key)
    const log = await held.console.lines()
    return { items: log.page(caller.query), nextCursor: null }
  },
  'console.command': async (caller) => {
    // Beside the socket, which wouldn't say whether it was taken.
    await players.command(caller.params.serverId, caller.body.command, caller)
    return { accepted: true }
  },
})

function nextStats(console: ServerConsole, signal: AbortSignal): Promise<StatsNews> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(FIRST_STATS_MS)])
    const end = console.listen((stats) => {
      end()
      resolve(stats)
    })
    limit.addEventListener('abort', () => {
      end()
      reject(hostRefusal(503, 'exaroton.no-stats'))
    })
  })
}

const filesOf = (files: ExarotonFiles): HostOperations => ({
  'files.list': async (caller) => {
    const items = await files.list(caller.params.serverId, caller.query.path ?? '', caller)
    return { items, nextCursor: null }
  },
  'files.read': (caller) => files.read(caller.params.serverId, caller.query.path, caller),
  'files.write': async (caller) => {
    const isNew = caller.header('if-none-match') === '*'
    const { params, query, bytes } = caller
    return { entry: await files.write(params.serverId, query.path, bytes, isNew, caller) }
  },
  'files.folder': async (caller) => {
    const { path, conflict } = caller.body
    return { entry: await files.makeFolder(caller.params.serverId, path, conflict !== 'skip', caller) }
  },
  'files.remove': async ({ params, body, ...caller }) => {
    return { results: await inTurn(body.paths, (path) => files.remove(params.serverId, path, caller)) }
  },
  'files.limits': () => ({ resumable: false, batch: null, trash: null }),
  'files.upload': async (caller) => {
    const { serverId } = caller.params
    const form = await readForm(caller.header('content-type'), caller.bytes)
    const { path, conflict = 'refuse' } = form.fields
    if (!path) throw hostRefusal(422, 'request.invalid.path')
    return { entry: await files.upload(serverId, { path, conflict, file: form.file }, caller) }
  },
})

const playersOf = (players: ExarotonPlayers): HostOperations => ({
  'players.list': (caller) => players.list(caller.params.serverId, caller),
  'players.act': (caller) => players.act(caller.params.serverId, caller.body, caller),
  'players.whitelist': async (caller) => ({
    enabled: await players.whitelist(caller.params.serverId, caller),
  }),
  'players.turn-whitelist': async (caller) => {
    await players.turnWhitelist(caller.params.serverId, caller.body.enabled, caller)
    return { enabled: caller.body.enabled }
  },
})
