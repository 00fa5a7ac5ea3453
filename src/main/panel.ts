import { homedir } from 'node:os'
import { join } from 'node:path'
import type { EventName, Events } from '../contract/bridge/events.ts'
import type { Outcome, Problem } from '../contract/bridge/problem.ts'
import { jobEndStale } from '../contract/areas/file-values.ts'
import { api } from '../contract/areas/index.ts'
import { collectGarbage, onRest } from '../computer/rest.ts'
import { say } from '../contract/messages/say.ts'
import { compositions } from './areas/composed.ts'
import { viewReader } from './areas/view-reader.ts'
import { Writes } from './areas/writes.ts'
import { Connections, LOCAL_ID } from './accounts/connections.ts'
import { ApiClient } from './api/client.ts'
import { makeDispatcher } from './api/dispatcher.ts'
import { PanelProblem, problem, problemOf } from './api/problem.ts'
import { openCache } from './cache/cache.ts'
import { openKeptTime } from './cache/kept-time.ts'
import { ViewStore } from './cache/view-store.ts'
import { forgetSetAside } from '../computer/set-aside.ts'
import { Databases, DatabaseTrouble } from './databases/databases.ts'
import { DriftReports } from './drift/drift-reports.ts'
import { ForgetList } from './forget-list.ts'
import { FileJobs } from './files/file-jobs.ts'
import { FORMER, FormerContents } from './files/former-contents.ts'
import { Consoles } from './console/consoles.ts'
import { Pager } from './console/pager.ts'
import { Samples } from './console/samples.ts'
import { invalidInput, registrar } from './handlers/registrar.ts'
import { createLive } from './live.ts'
import { Statuses } from './statuses.ts'
import { LocalService } from './local/local-service.ts'
import { connectionStore } from './cache/connection-store.ts'
import { logId } from './logging/log-id.ts'
import { Notes } from './notes.ts'
import { tellOfService } from './local/tell-of-service.ts'
import type { Ports } from './ports.ts'
import { ProfileBook } from './profiles/profile-book.ts'
import { SettingsStore } from './settings.ts'
import { PickedPaths } from './transfers/intake/picked.ts'
import { openTransfers } from './transfers/open.ts'
import { type PageUploads, pageUploads } from './transfers/intake/page-uploads.ts'
import type { WindowLink } from './window-link.ts'

/** Lists are read again this often while a window is open, in ms: servers appear and go elsewhere too. */
const LIST_EVERY = 30_000
/** While files land, the views of their server are read again this often, in ms. */
const LANDED_EVERY = 2000

/** The whole panel without its windows. */
export interface Panel {
  /** Answers a call of the bridge. Never rejects. */
  call(name: string, input: unknown, window: WindowLink): Promise<Outcome<unknown>>
  /**
   * Queues files of this computer by their paths. Only a way in that resolved them from `File`s itself may call this; what
   * the page says never gets here. Never rejects.
   */
  upload(input: unknown): Promise<Outcome<{ transferId: string }>>
  /** Files whose bytes a page sends. */
  pageUploads: PageUploads
  /** Takes a window in; `detach` it when it is gone. */
  attach(window: WindowLink): void
  detach(window: WindowLink): void
  /** The computer woke up, or its network came back. */
  wake(): void
  /** How many servers of this computer run now. */
  runningLocalServers(): Promise<number>
  /** Stops local servers and saves what waits. */
  close(): Promise<void>
}

/**
 * Puts the rooms together: ports in, handlers and events out. Throws StartProblem where a database cannot be opened; then
 * nothing of it runs any more.
 */
export async function createPanel(ports: Ports): Promise<Panel> {
  const undo = new AsyncDisposableStack()
  try {
    return await putTogether(ports, undo)
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}

/** @param undo is given what has to be closed where a later step fails */
async function putTogether(ports: Ports, undo: AsyncDisposableStack): Promise<Panel> {
  const { log } = ports
  const windows = new Set<WindowLink>()
  const broadcast = <E extends EventName>(event: E, value: Events[E]) => {
    for (const window of windows) window.send(event, value)
  }
  const toProblem = (error: unknown): Problem => {
    if (error instanceof PanelProblem) return error.problem
    const id = logId()
    log.error('something failed that should not', { error, logId: id })
    if (error instanceof DatabaseTrouble)
      return problemOf('internal', say('kept.damaged', { file: error.file }), {
        logId: id,
        serviceCode: 'computer.database',
      })
    return problemOf('internal', say('panel.failed'), { logId: id })
  }

  const notes = new Notes((now) => broadcast('notes', now))
  const databases = new Databases({
    onDeath: (error) => log.error('the thread of the databases died and is started again', { error }),
    onTrouble(trouble, file) {
      log.error('a database cannot be used any more', { trouble, file })
      notes.tell(say(trouble === 'damaged' ? 'kept.damaged' : 'kept.removed', { file }))
    },
    onBegunAnew({ database, file }, aside, read) {
      log.error('a database could not be used and was begun anew', { file, aside })
      notes.tell(say(`kept.${database}-anew`, { file, aside }), () => void read().catch(() => undefined))
    },
  })
  const cacheFile = join(ports.dataDir, 'cache.db')
  undo.defer(() => ports.secrets.close())
  const cache = await openCache(cacheFile, databases)
  undo.defer(() => cache.close())
  const forgetting = new ForgetList()
  // What was set aside holds it too, and cannot be wiped in part.
  forgetting.add(() => {
    forgetSetAside(ports.dataDir)
    notes.dismissAll(['kept.cache-anew', 'kept.transfers-anew'])
  })
  forgetting.add((connectionId) => cache.wipe(connectionId))
  const keptTime = await openKeptTime(cache, ports.now)
  const profileBook = new ProfileBook(join(ports.dataDir, 'profiles'))
  const driftReports = new DriftReports({ cache, log, now: ports.now })
  forgetting.add((connectionId) => driftReports.clear(connectionId))
  const dispatcher = makeDispatcher({ envProxy: true })
  undo.defer(() => dispatcher.destroy())
  const connections = new Connections({
    records: connectionStore(cache),
    secrets: ports.secrets,
    dispatcher,
    profiles: () => profileBook.load(),
    log,
    onDrift: (connectionId, op, drifts) => driftReports.note(connectionId, op, drifts),
    leave: (connectionId) => transfers.leave(connectionId),
    wipe: (connectionId) => forgetting.forget(connectionId),
  })
  const client = (connectionId: string) => connections.client(connectionId)
  const samples = new Samples(ports.now)
  const statuses = new Statuses()
  const { source, ...live } = createLive({ views: () => views, samples, statuses, broadcast })
  const views: ViewStore = new ViewStore({
    cache,
    source: source(viewReader(client, compositions({ fileJobs: () => fileJobs, added: cache }))),
    emit: (event) => {
      broadcast('view', event)
      if (event.view === 'servers.list' && event.now.value)
        noteServers(event.connectionId, event.now.value.items)
    },
    toProblem,
    now: ports.now,
    isReady: (connectionId) => ready.has(connectionId),
  })
  forgetting.add((connectionId) => views.forget(connectionId))
  forgetting.add((connectionId) => statuses.forget(connectionId))
  forgetting.add((connectionId) => samples.forget(connectionId))
  const former = new FormerContents({
    folder: join(ports.dataDir, FORMER),
    cache,
    log,
    now: ports.now,
    seen: keptTime.read,
  })
  forgetting.add((connectionId) => former.wipe(connectionId))
  const fileJobs = new FileJobs({
    client,
    onJob: (server, job) => broadcast('job', { ...server, job }),
    onEnd: ({ connectionId, serverId }) => void views.markStale(jobEndStale, connectionId, serverId),
  })
  forgetting.add((connectionId) => fileJobs.forget(connectionId))
  const known = new Map<string, string[]>()
  forgetting.add((connectionId) => void known.delete(connectionId))
  const consoles = new Consoles({
    cache,
    client,
    knownServers: (connectionId) => known.get(connectionId) ?? [],
    ...live,
    shown: (connectionId) => views.serversShown('servers.status', connectionId),
    readStatus: async ({ connectionId, serverId }) =>
      (await views.refresh({ view: 'servers.status', connectionId, params: { serverId } })).problem,
    isOnline: (server) => statuses.of(server)?.status === 'online',
    onLive: (connectionId, now) => broadcast('live', { connectionId, now }),
    onJob: (server, job) => fileJobs.heard(server, job),
    onGone: (connectionId) => void views.refresh({ view: 'servers.list', connectionId }),
    log,
  })
  forgetting.add((connectionId) => consoles.close(connectionId))
  const marks = new Map<string, NodeJS.Timeout>()
  /** Files land in crowds: what shows them is read again every other second, and at the end. */
  const landed = ({ connectionId, serverId }: { connectionId: string; serverId: string }, now: boolean) => {
    const key = `${connectionId}\n${serverId}`
    const mark = () => {
      clearTimeout(marks.get(key))
      marks.delete(key)
      void views.markStale(api.files.upload.stale, connectionId, serverId)
    }
    if (now) mark()
    else if (!marks.has(key)) marks.set(key, setTimeout(mark, LANDED_EVERY))
  }
  const {
    transfers,
    rest: restTransfers,
    close: closeTransfers,
  } = await openTransfers({
    dataDir: ports.dataDir,
    databases,
    downloadsFolder: ports.downloadsFolder ?? join(homedir(), 'Downloads'),
    client: (connectionId) => {
      // Its address is new at each start: a transfer waits for it as for any service that is away.
      if (connectionId === LOCAL_ID && !connections.list().some(({ id }) => id === LOCAL_ID))
        throw problem('offline', say('local.not-running'))
      return client(connectionId)
    },
    log,
    toProblem,
    landed: (row, now) => {
      if (row.kind !== 'download') landed(row, now)
    },
    tell: (now) => broadcast('transfers', now),
  })
  undo.defer(closeTransfers)
  forgetting.add((connectionId) => transfers.wipe(connectionId))
  const settings = new SettingsStore(cache, (now) => broadcast('settings', now))
  const serviceDir = join(ports.dataDir, 'service')
  const local = new LocalService({
    launcher: ports.launcher,
    args: [
      ...['--data', serviceDir, '--port', '0', '--parent'],
      ...(ports.nodePath ? ['--node', ports.nodePath] : []),
    ],
    signIn: async (baseUrl, body) =>
      (await new ApiClient({ baseUrl, dispatcher }).send(api.account.local, { body })).value,
    onReady: async ({ baseUrl, ...found }, session) => {
      connections.setLocal({ baseUrl, session })
      tellOfService(notes, join(serviceDir, 'servers'), found)
      await cache.writeSetting('local', 'used')
    },
    onState: (state) =>
      connections.localState(
        state.kind === 'starting'
          ? { kind: 'starting' }
          : { kind: 'offline', problem: state.problem, since: new Date(ports.now()).toISOString() },
      ),
  })

  /** A stream's server list is fixed when it connects: new servers need a new one. */
  function noteServers(connectionId: string, servers: { id: string }[]): void {
    const ids = servers.map((server) => server.id)
    const before = known.get(connectionId)
    if (before?.join() === ids.join()) return
    known.set(connectionId, ids)
    if (before || ids.length > 0) consoles.reconnect(connectionId)
  }

  const ready = new Set<string>()
  connections.onChange((list) => {
    broadcast('connections', list)
    for (const { id, state } of list) {
      if (state.kind === 'ready' && !ready.has(id)) {
        ready.add(id)
        transfers.reached(id)
        consoles.open(id)
        consoles.reconnect(id)
        void views.refreshConnection(id)
      } else if (state.kind !== 'ready') {
        ready.delete(id)
        if (state.kind === 'signed-out') consoles.close(id)
      }
    }
    for (const id of ready) if (!list.some((connection) => connection.id === id)) ready.delete(id)
  })
  ports.secrets.onStatus((status) => broadcast('keychain', status))

  void former.sweep().catch((error: unknown) => log.warn('former contents could not be swept', { error }))
  await connections.load()
  if (ports.local.kind === 'ready' && (await cache.readSetting('local')) === 'used')
    // Its failure is shown as the connection's state.
    void local.start().catch(() => undefined)

  // Calls of transfers wait for this themselves.
  void transfers
    .start()
    .catch((error: unknown) => log.error('the transfers of last time could not go on', { error }))

  const listing = setInterval(() => {
    if (windows.size > 0)
      for (const connectionId of ready) void views.refresh({ view: 'servers.list', connectionId })
  }, LIST_EVERY)

  const wake = () => {
    void connections.wake()
    views.wake()
    transfers.reached(null)
    consoles.reconnectAll()
  }
  const stopResting = onRest(() => {
    // Only a panel that closes does not answer.
    Promise.all([cache.rest(), restTransfers()]).then(collectGarbage, () => undefined)
  })

  const answer = registrar({
    ports,
    cache,
    connections,
    views,
    writes: new Writes(client, views, (op, connectionId) => {
      if (op.stale.includes('servers.status')) consoles.hurry(connectionId)
    }),
    consoles,
    pager: new Pager(cache, client),
    samples,
    former,
    driftReports,
    profileBook,
    fileJobs,
    transfers,
    settings,
    notes,
    local,
    wake,
  })

  return {
    async call(name, input, window) {
      try {
        return { ok: true, value: await answer(name, input, window) }
      } catch (error) {
        return { ok: false, problem: toProblem(error) }
      }
    },
    async upload(input) {
      try {
        const picked = PickedPaths.safeParse(input)
        if (!picked.success) throw invalidInput(picked.error)
        return { ok: true, value: { transferId: (await transfers.upload(picked.data)).transferId } }
      } catch (error) {
        return { ok: false, problem: toProblem(error) }
      }
    },
    pageUploads: pageUploads(transfers, { client, toProblem }),
    attach: (window) => void windows.add(window),
    detach(window) {
      windows.delete(window)
      views.detach(window)
      consoles.unwatch(window)
    },
    wake,
    async runningLocalServers() {
      if (!local.running) return 0
      const { value } = await views.read({ view: 'servers.list', connectionId: LOCAL_ID })
      return value?.items.filter(({ status }) => status !== 'offline' && status !== 'crashed').length ?? 0
    },
    async close() {
      clearInterval(listing)
      stopResting()
      consoles.stop()
      await closeTransfers()
      for (const mark of marks.values()) clearTimeout(mark)
      fileJobs.forget()
      await local.stop()
      connections.close()
      await dispatcher.destroy()
      await views.close()
      keptTime.stop()
      await driftReports.flush()
      await cache.close().catch(() => undefined)
      ports.secrets.close()
    },
  }
}
