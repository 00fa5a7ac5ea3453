import { EventEmitter } from 'node:events'
import type { Outcome } from '../../contract/bridge/problem.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { jobEndStale } from '../../contract/areas/values/file-values.ts'
import { api } from '../../contract/areas/index.ts'
import { LOCAL_ID } from '../accounts/connection-records.ts'
import { hostExtensions } from '../accounts/host-extensions.ts'
import { hostMemory } from '../accounts/host-requesters.ts'
import { Connections } from '../accounts/connections.ts'
import { Readiness } from '../accounts/readiness.ts'
import { waitingClient } from '../accounts/bare-clients.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import { compositions } from './composed.ts'
import { viewReader } from '../views/view-reader.ts'
import { WriteSender } from '../views/writes.ts'
import { connectionStore } from '../views/cache/connection-store.ts'
import { ViewStore } from '../views/cache/view-store.ts'
import { Consoles } from '../console/consoles.ts'
import { Pager } from '../console/pager.ts'
import { NewsOfAccounts } from '../areas/notifications/news-of-accounts.ts'
import { FollowedJobs } from '../areas/files/followed-jobs.ts'
import { openExternalFiles } from '../areas/files/external-editor/open-external-files.ts'
import { openCopies } from '../copies/open-copies.ts'
import { openRelocations } from '../relocations/open-relocations.ts'
import { openCountdowns } from '../areas/servers/open-countdowns.ts'
import { invalidInput, registrar } from './registrar.ts'
import { sweepCrashDumps } from '../diagnostics/crash-dumps.ts'
import { type PanelStorage, openStorage } from './open-storage.ts'
import { LiveEvents } from '../views/apply-live-events.ts'
import { endLocal, openLocal, startLocal, staysHere, runningServers } from '../local/open-local.ts'
import type { Ports } from '../base/ports.ts'
import { ServerTable } from '../views/server-table.ts'
import { outcomeOf } from '../logging/to-problem.ts'
import { type PageUploads, pageUploads } from '../transfers/intake/page-uploads.ts'
import { PickedPaths } from '../transfers/intake/picked.ts'
import { FolderInvalidation } from '../transfers/invalidate-folders.ts'
import { openTransfers } from '../transfers/open.ts'
import { openUpdates } from '../updates/open-updates.ts'
import { PollingInterval } from '../console/polling.ts'
import type { WindowLink } from '../base/windows.ts'

/** Refresh interval of lists while a window is open, in ms: servers also change elsewhere. */
const LIST_EVERY = 30_000
/** Neither starting nor stopping. */
const SETTLED: ReadonlySet<unknown> = new Set(['online', 'offline', 'crashed'])

export interface Panel {
  /** Never rejects. */
  call(name: string, input: unknown, window: WindowLink): Promise<Outcome<unknown>>
  /** Only for hosts that resolved the paths from `File`s themselves; never pass paths from a page. */
  upload(input: unknown): Promise<Outcome<{ transferId: string }>>
  pageUploads: PageUploads
  attach(window: WindowLink): void
  detach(window: WindowLink): void
  wake(): void
  /** Closes streams, so none looks connected; `wake` reopens them. */
  sleep(): void
  spare(on: boolean): void
  runningLocalServers(): Promise<number | null>
  keepsLocalServers(): Promise<boolean>
  /** The program ends once local servers have stopped. */
  tellClosing(how: 'stop' | 'hand-over'): void
  /** Saves pending data and stops local servers, unless they stay in the background or `how` hands them over. */
  close(how?: 'stop' | 'hand-over'): Promise<void>
}

/** Whatever a step opens closes in reverse order. Throws StartProblem and leaves nothing running. */
export async function createPanel(ports: Ports): Promise<Panel> {
  const closing = new AsyncDisposableStack()
  try {
    const kept = await openStorage(ports, closing)
    const accounts = openAccounts(kept)
    const views = openViews({ ...kept, ...accounts }, closing)
    const work = await openWork({ ...kept, ...accounts, ...views }, closing)
    const power = powerOf({ ...accounts, ...views, ...work })
    const rooms = { ...kept, ...accounts, ...views, ...work, ...power }
    await begin(rooms, closing)
    return panelOf(rooms, closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** Views close the connections once their reads are done. */
function openAccounts(kept: PanelStorage) {
  const { ports, log, cache, forgetting, profileBook, driftReports, broadcast, powerLines } = kept
  const dispatcher = makeDispatcher({ envProxy: true, resolveProxy: ports.resolveProxy })
  const ofHosts = hostExtensions(ports, dispatcher)
  forgetting.add((connectionId) => ofHosts.forget(connectionId))
  const connections = new Connections({
    records: connectionStore(cache),
    secrets: ports.secrets,
    openExternal: ports.openExternal,
    dispatcher,
    hosts: { memory: hostMemory(cache, powerLines), extensions: ofHosts.of },
    profiles: () => profileBook.load(),
    log,
    onDrift: (connectionId, op, drifts) => driftReports.note(connectionId, op, drifts),
    numberIds: {
      read: (connectionId) => cache.numberIds(connectionId),
      change: (connectionId, added, gone) =>
        void cache.changeNumberIds(connectionId, added, gone).catch((error: unknown) => {
          log.warn('how ids were sent could not be kept', { error })
        }),
    },
    leave: (connectionId) => forgetting.leave(connectionId),
    wipe: (connectionId) => forgetting.forget(connectionId),
  })
  connections.onChange((list) => broadcast('connections', list))
  const client = (connectionId: string) => connections.client(connectionId)
  return { dispatcher, connections, client, readiness: new Readiness(connections) }
}
type Accounts = ReturnType<typeof openAccounts>

function openViews(rooms: PanelStorage & Accounts, closing: AsyncDisposableStack) {
  const { ports, cache, toProblem, broadcast, forgetting, dispatcher, connections, client, readiness } = rooms
  const followedJobs = new FollowedJobs({
    client,
    isThere: (connectionId) => connections.list().some(({ id }) => id === connectionId),
    onJob: (server, job) => broadcast('job', { ...server, job }),
  })
  const servers = new ServerTable(ports.now)
  const listed = new EventEmitter<{ change: [connectionId: string]; server: [ServerRef] }>()
  const reader = viewReader(client, compositions({ followedJobs, added: cache }))
  const views: ViewStore = new ViewStore({
    cache,
    source: servers.reading(reader, (...change) => live.onRead(...change)),
    emit(event) {
      broadcast('view', event)
      if (event.view !== 'servers.list' || !event.now.value) return
      const ids = event.now.value.items.map(({ id }) => id)
      if (servers.setListed(event.connectionId, ids)) listed.emit('change', event.connectionId)
    },
    toProblem,
    now: ports.now,
    isReady: (connectionId) => readiness.has(connectionId),
    join: (named, value) => servers.join(named, value),
  })
  const live = new LiveEvents({
    ...{ views, servers, broadcast },
    changed: (server) => listed.emit('server', server),
  })
  closing.defer(() => views.close())
  // Pending reads end before the views are saved.
  closing.defer(() => dispatcher.destroy())
  closing.defer(() => connections.close())
  closing.defer(() => followedJobs.forget())
  followedJobs.onEnd(
    ({ connectionId, serverId }) => void views.markStale(jobEndStale, connectionId, serverId),
  )
  for (const room of [views, servers, followedJobs])
    forgetting.add((connectionId) => room.forget(connectionId))
  return { followedJobs, servers, listed, views, live }
}
type Views = ReturnType<typeof openViews>

async function openWork(rooms: PanelStorage & Accounts & Views, closing: AsyncDisposableStack) {
  const { ports, log, toProblem, databases, cache, broadcast, forgetting, connections, client } = rooms
  const { followedJobs, servers, listed, views, live } = rooms
  const local = openLocal(rooms)
  const ending: { how?: 'stop' | 'hand-over' } = {}
  closing.defer(() => endLocal(local, rooms, ending.how))
  const pace = new PollingInterval()
  const consoles = new Consoles({
    cache,
    pace,
    client,
    knownServers: (connectionId) => servers.listed(connectionId),
    shown: (connectionId) => views.serversShown('servers.status', connectionId),
    readStatus: async ({ connectionId, serverId }) =>
      (await views.refresh({ view: 'servers.status', connectionId, params: { serverId } })).problem,
    isOnline: (server) => servers.status(server)?.status === 'online',
    news: live,
    onLive: (connectionId, now) => broadcast('live', { connectionId, now }),
    onJob: (server, job) => followedJobs.heard(server, job),
    onGone: (connectionId) => void views.refresh({ view: 'servers.list', connectionId }),
    log,
  })
  closing.defer(() => consoles.stop())
  // A stream's list of servers is fixed when it connects.
  listed.on('change', (connectionId) => consoles.reconnect(connectionId))
  forgetting.add((connectionId) => consoles.close(connectionId))

  const news = newsOf(rooms)
  closing.defer(() => news.stop())
  forgetting.add((connectionId) => news.close(connectionId))
  const landed = new FolderInvalidation(({ connectionId, serverId }) => {
    void views.markStale(api.files.upload.stale, connectionId, serverId)
  })
  closing.defer(() => landed.close())
  const opened = await openTransfers({
    dataDir: ports.dataDir,
    databases,
    downloads: rooms.downloads,
    client: waitingClient(connections),
    log,
    toProblem,
    landed: (row, now) => landed.landed(row, now),
    tell: (now) => broadcast('transfers', now),
  })
  closing.defer(() => opened.close())
  const { transfers } = opened
  listed.on('server', (server) => {
    if (SETTLED.has(servers.status(server)?.status)) transfers.settled(server)
  })
  forgetting.onLeave((connectionId) => transfers.leave(connectionId))
  forgetting.add((connectionId) => transfers.wipe(connectionId))
  const writes = new WriteSender(client, views, (op, connectionId) => {
    if (op.stale.includes('servers.status')) consoles.hurry(connectionId)
  })
  const countdowns = openCountdowns({ ...rooms, writes })
  listed.on('server', (server) => countdowns.changed(server))
  forgetting.onLeave((connectionId) => countdowns.leave((id) => id === connectionId))
  forgetting.add((connectionId) => countdowns.forget((id) => id === connectionId))
  closing.defer(async () => {
    // Servers on this computer end with the panel or go on in the background.
    countdowns.forget((id) => id === LOCAL_ID)
    await countdowns.leave(() => true)
  })
  const externalFiles = openExternalFiles({ ...rooms, transfers, writes })
  closing.defer(() => externalFiles.close())
  const { copies, copyPlans } = closing.use(openCopies(rooms))
  const { relocations } = closing.use(openRelocations({ ...rooms, ...opened }))
  const updates = openUpdates({ ...rooms, transfers, runningServers: () => runningHere(local, views) })
  closing.defer(() => updates.stop())
  const pager = new Pager(cache, client)
  const kept = { copies, copyPlans, relocations, externalFiles, pager, pace, updates }
  return { local, ending, consoles, news, transfers, writes, countdowns, ...kept }
}

const newsOf = ({ client, views, windows, broadcast, log }: PanelStorage & Accounts & Views) =>
  new NewsOfAccounts((connectionId) => ({
    client: () => client(connectionId),
    stale: (reads, serverId) => void views.markStale(reads, connectionId, serverId),
    read: async () => (await views.refresh({ view: 'notifications.list', connectionId })).problem,
    isLookedAt: () => windows.isAnyOpen,
    onNotification: (notification) => broadcast('notification', { connectionId, notification }),
    log,
  }))
type Work = Awaited<ReturnType<typeof openWork>> & ReturnType<typeof powerOf>

const powerOf = (
  rooms: Accounts &
    Views &
    Pick<Awaited<ReturnType<typeof openWork>>, 'consoles' | 'news' | 'transfers' | 'externalFiles'>,
) => {
  const { connections, readiness, consoles, news, transfers, externalFiles, views } = rooms
  const sleep = () => {
    for (const connectionId of readiness.all()) {
      consoles.close(connectionId)
      news.close(connectionId)
    }
  }
  const wake = () => {
    // Opens closed streams and reconnects the others.
    for (const connectionId of readiness.all()) {
      consoles.open(connectionId)
      news.open(connectionId)
    }
    void connections.wake()
    views.wake()
    transfers.reached(null)
    externalFiles.reached(null)
    consoles.reconnectAll()
  }
  return { sleep, wake }
}
type PanelParts = PanelStorage & Accounts & Views & Work

async function begin(rooms: PanelParts, closing: AsyncDisposableStack): Promise<void> {
  const { ports, log, windows, broadcast, former, connections, readiness } = rooms
  const { views, consoles, news, transfers, externalFiles, local, pace } = rooms
  readiness.onReady((connectionId) => {
    transfers.reached(connectionId)
    externalFiles.reached(connectionId)
    consoles.open(connectionId)
    consoles.reconnect(connectionId)
    news.open(connectionId)
    void views.refreshConnection(connectionId)
  })
  readiness.onSignedOut((connectionId) => {
    consoles.close(connectionId)
    news.close(connectionId)
  })
  ports.secrets.onStatus((status) => broadcast('keychain', status))

  void former.sweep().catch((error: unknown) => log.warn('former contents could not be swept', { error }))
  await connections.load()
  await startLocal(local, rooms)
  void transfers
    .start()
    .catch((error: unknown) => log.error('the transfers of last time could not go on', { error }))

  void externalFiles
    .start()
    .catch((error: unknown) => log.error('edited files could not be followed', { error }))
  rooms.updates.start()
  if (ports.crashFolder !== undefined) void sweepCrashDumps(ports.crashFolder, ports.now())
  let turn = 0
  const listing = setInterval(() => {
    if (!windows.isAnyOpen || ++turn % pace.times !== 0) return
    for (const connectionId of readiness.all()) void views.refresh({ view: 'servers.list', connectionId })
  }, LIST_EVERY)
  closing.defer(() => clearInterval(listing))
}

function panelOf(rooms: PanelParts, closing: AsyncDisposableStack): Panel {
  const { client, toProblem, windows, views, consoles, transfers, local, choices, wake, sleep, pace } = rooms
  const answer = registrar(rooms)
  let closed: Promise<void> | null = null
  return {
    call: (name, input, window) => outcomeOf(() => answer(name, input, window), toProblem),
    upload: (input) =>
      outcomeOf(async () => {
        const picked = PickedPaths.safeParse(input)
        if (!picked.success) throw invalidInput(picked.error)
        return await transfers.upload(picked.data)
      }, toProblem),
    pageUploads: pageUploads(transfers, { client, toProblem }),
    attach: (window) => windows.add(window),
    detach(window) {
      windows.delete(window)
      views.detach(window)
      consoles.unwatch(window)
    },
    wake,
    sleep,
    spare: (on) => pace.spare(on),
    runningLocalServers: () => runningHere(local, views),
    keepsLocalServers: () => staysHere(local, choices),
    tellClosing: (how) => windows.broadcast('closing', how),
    // Repeated calls share the same end.
    close(how) {
      if (how) rooms.ending.how = how
      return (closed ??= closing.disposeAsync())
    },
  }
}

const runningHere = async (local: Work['local'], views: Views['views']): Promise<number | null> => {
  const state = await local.settled()
  if (state === 'unreached') return null
  if (state !== 'running') return 0
  return await runningServers(() => views.refresh({ view: 'servers.list', connectionId: LOCAL_ID }))
}
