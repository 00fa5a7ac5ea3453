import { type HostAdapter, type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { scopesOffered } from '../base/scopes.ts'
import { Consoles } from '../console/consoles.ts'
import { openExtensions } from '../extensions/host-extensions.ts'
import { withExtensions } from '../extensions/operations.ts'
import { watchRequest } from '../console/follow-lines.ts'
import { activityOf } from './activity.ts'
import { Account, SocketToken } from './answers.ts'
import { archivesOf, PanelArchives } from './archives.ts'
import { PanelBackups } from './backups.ts'
import { copyingOf } from './copying.ts'
import { databasesOf } from './databases.ts'
import { filesOf } from './file-operations.ts'
import { PanelFiles } from './files.ts'
import { extensionAccess } from './extensions.ts'
import { ServerIcons, withIcons } from '../game/icons.ts'
import { gameOf, iconFileOf } from './game.ts'
import { liveEvents } from './live-events.ts'
import type { HostPorts } from '../hosts.ts'
import { MachineSecrets } from './machine-secrets.ts'
import { PanelMachines } from './machines.ts'
import { PanelApi } from './panel-api.ts'
import { accessOf } from './people.ts'
import { portsOf } from './ports.ts'
import { schedulesOf } from './schedules.ts'
import { PanelSftp } from './panel-sftp.ts'
import { PanelServers, pathOf } from './servers.ts'
import { ServerConsole } from './server-console.ts'
import { PanelSshKey } from './ssh-key.ts'
import { startupOf } from './startup.ts'

/** A panel's answer about a suspended server. */
const SUSPENDED = 409
const LOG = 'logs/latest.log'
/** Opened for a power act: each takes two requests, of which a panel allows few a minute. */
const CONSOLES_MOST = 10
const KEY_ID_LENGTH = 16

/** A panel of Pterodactyl or Pelican, by a key of the account. */
export function openAdapter(base: string, ports: HostPorts): HostAdapter {
  const { dispatcher, memory, choices } = ports
  const api = new PanelApi(base, dispatcher)
  let scopes: ReturnType<typeof scopesOffered> | undefined
  const offered = (): ReturnType<typeof scopesOffered> => (scopes ??= scopesOffered(operations))
  const servers = new PanelServers(api, offered)
  const access = ports.secrets && {
    key: new PanelSshKey(api, ports.secrets),
    secrets: new MachineSecrets(ports.secrets),
  }
  const sftp = new PanelSftp(api, servers, dispatcher.dial, access)
  const files = new PanelFiles(api, sftp)
  const consoles = new Consoles((serverId, key) => {
    const callerOf = (signal: AbortSignal): Caller => ({ key, signal })
    return new ServerConsole({
      ...{
        serverId,
        memory,
        dial: dispatcher.dial,
        origins: (signal) => originsOf(api, () => choices().consoleOrigin ?? null, signal),
      },
      token: async (signal) => {
        const answer = await api.json(`${pathOf(serverId)}/websocket`, callerOf(signal))
        const read = SocketToken.safeParse(answer)
        if (!read.success) throw hostRefusal(502, 'host.unreadable', { field: 'data.socket' })
        const { token, socket } = read.data.data
        return { token, socket: api.address(socket, 'wss:').href }
      },
      log: (signal) => files.tail(serverId, LOG, callerOf(signal)),
      onStatus: (status) => servers.told(serverId, status),
    })
  })
  const extensions = openExtensions(ports.extensions, extensionAccess(files, servers))
  const archives = new PanelArchives(api, files)
  const icons = new ServerIcons((id) => iconFileOf(id, files), [403, 404, 413, SUSPENDED])
  const operations: HostOperations = {
    ...accountOf(api, sftp),
    ...powerOf(api, servers, consoles),
    ...consoleOf(servers, consoles, api),
    ...filesOf(files, servers),
    ...archivesOf(archives),
    ...copyingOf(api, files),
    ...backupsOf(new PanelBackups(api, servers)),
    ...startupOf(api, servers),
    ...databasesOf(api, servers),
    ...portsOf(api, servers),
    ...schedulesOf(api, servers),
    ...gameOf({ api, servers, files, consoles }),
    ...accessOf(api, servers, offered),
    ...activityOf(api),
  }
  return {
    operations: withExtensions(withIcons(operations, icons), extensions),
    machines: access && new PanelMachines(servers, sftp, access.secrets, dispatcher.dial),
    close() {
      archives.close()
      extensions?.close()
      consoles.close()
      sftp.close()
    },
  }
}

/** What a person entered, what the connection is called by, and where that leads. */
async function* originsOf(
  api: PanelApi,
  entered: () => string | null,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const first = entered()
  if (first !== null) yield first
  yield api.origin
  const own = await api.ownOrigin(signal)
  if (own !== null) yield own
}

const accountOf = (api: PanelApi, sftp: PanelSftp): HostOperations => ({
  'account.me': async (caller) => {
    const { id, uuid, username, email } = await api.one('/account', Account, caller)
    return { id: uuid ?? (typeof id === 'number' ? String(id) : id), name: username, email }
  },
  'account.sign-out': async (caller) => {
    await sftp.signOut(caller)
    // Other programs may use the key that was entered.
    throw hostRefusal(501, 'host.key-stays')
  },
  'account.end-other-sessions': async (caller) => {
    await sftp.signOut(caller)
    // A key is called by how it begins.
    const id = encodeURIComponent(caller.key.slice(0, KEY_ID_LENGTH))
    await api.send(`/account/api-keys/${id}`, caller, { method: 'DELETE' })
  },
})

const powerOf = (
  api: PanelApi,
  servers: PanelServers,
  consoles: Consoles<ServerConsole>,
): HostOperations => ({
  'servers.list': async (caller) => ({ items: await servers.list(caller), nextCursor: null }),
  'servers.read': (caller) => servers.read(caller.params.serverId, caller),
  'servers.status': (caller) => servers.status(caller.params.serverId, caller),
  'servers.stats': (caller) => servers.stats(caller.params.serverId, caller),
  'servers.power': async (caller) => {
    // The panel's own word is up to half a minute old; the socket tells at once what becomes of it.
    using _ = consoles.size < CONSOLES_MOST ? consoles.hold(caller.params.serverId, caller.key) : null
    const json = { signal: caller.body.action }
    await api.send(`${pathOf(caller.params.serverId)}/power`, caller, { method: 'POST', json })
    return { accepted: true }
  },
})

const consoleOf = (
  servers: PanelServers,
  consoles: Consoles<ServerConsole>,
  api: PanelApi,
): HostOperations => ({
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
    const { params, body } = caller
    // Beside the socket: a host may give tokens that only read.
    await api.send(`${pathOf(params.serverId)}/command`, caller, { method: 'POST', json: body })
    return { accepted: true }
  },
})

const backupsOf = (backups: PanelBackups): HostOperations => ({
  'backups.list': async (caller) => ({
    items: await backups.list(caller.params.serverId, caller),
    nextCursor: null,
  }),
  'backups.create': (caller) => backups.create(caller.params.serverId, caller.body.name, caller),
  'backups.change': (caller) => {
    const { serverId, backupId } = caller.params
    const { name, locked } = caller.body
    if (name !== undefined || locked === undefined) throw hostRefusal(422, 'host.backup-name')
    return backups.lock(serverId, backupId, locked, caller)
  },
  'backups.content': (caller) => {
    const { backup, path = '' } = caller.query
    if (path !== '') throw hostRefusal(422, 'host.backup-whole')
    return backups.content(caller.params.serverId, backup, caller)
  },
  'backups.remove': (caller) => backups.remove(caller.params.serverId, caller.params.backupId, caller),
  'backups.restore': async (caller) => {
    const { backup, paths, players, to } = caller.body
    if (to !== 'here' || paths || players) throw hostRefusal(422, 'host.restore-whole')
    await backups.restore(caller.params.serverId, backup, caller)
    return { accepted: true }
  },
})
