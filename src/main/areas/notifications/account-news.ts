import { api, operations, type ReadId } from '../../../contract/areas/index.ts'
import type { Notification } from '../../../contract/areas/notifications.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'
import { Findings } from '../../api/reader/drift.ts'
import { backoffMs, type Clock, systemClock } from '../../base/retry.ts'
import type { Log } from '../../logging/log.ts'
import { type AccountEvent, readAccountEvent } from './read-account-event.ts'

/** Reconnect delays in ms: doubled, with half of each random. */
const WAITS = {
  failing: { first: 500, last: 60_000 },
  absent: { first: 60_000, last: 600_000 },
}
/** Polling intervals in ms, doubled as well. */
const ASKED = { first: 5_000, last: 300_000 }
const STEADY_MS = 10_000
/** Batch interval for reactions, however much the service sends. */
const GATHER_MS = 1_000
/** Changed servers, and notifications to show, collected per batch. */
const SCOPES_MOST = 100
const CAME_MOST = 3
const SHOWN_MOST = 500

const LISTS = ['servers.list', 'access.invitations'] as const satisfies ReadId[]
const OF_A_SERVER = operations
  .filter(({ kind, path }) => kind === 'read' && path.includes(':serverId'))
  .map(({ id }) => id as ReadId)
/** Reads made stale by a kind of notification. */
const STALE_BY: Readonly<Record<string, readonly ReadId[]>> = {
  invitation: ['access.invitations'],
  'sign-in': ['account.sessions'],
}

export interface AccountNewsPorts {
  /** Looked up every time: the built-in service changes its address on each start. */
  client: () => ApiClient
  stale: (reads: readonly ReadId[], serverId?: string) => void
  read: () => Promise<Problem | null>
  isLookedAt: () => boolean
  onNotification: (notification: Notification) => void
  log: Log
  clock?: Clock
}

/** Follows an account by its event stream, else by polling. Events are only hints: data is read again. */
export class AccountNews {
  readonly #ports: AccountNewsPorts
  readonly #clock: Clock
  readonly #closed = new AbortController()
  #round = new AbortController()
  /** The stream has delivered a readable event since it was connected. */
  #tells = false
  #asked = 0
  #asking = new AbortController()
  #due = nothingDue()
  #flushing = false
  #flushedAt = -Infinity
  readonly #shown = new Set<string>()

  constructor(ports: AccountNewsPorts) {
    this.#ports = ports
    this.#clock = ports.clock ?? systemClock
    void this.#listenAlways()
    void this.#askAlways()
  }

  restart(): void {
    this.#round.abort(new Error('restarted'))
    this.#asked = 0
    this.#asking.abort(new Error('restarted'))
  }

  stop(): void {
    this.#closed.abort(new Error('stopped'))
    this.restart()
  }

  get #ended(): boolean {
    return this.#closed.signal.aborted
  }

  async #listenAlways(): Promise<void> {
    for (let failures = 0; !this.#ended;) {
      this.#round = new AbortController()
      const { signal } = this.#round
      this.#tells = false
      const began = this.#clock.elapsed()
      const problem = await this.#listen(signal)
      const steady = this.#tells && this.#clock.elapsed() - began >= STEADY_MS
      this.#tells = false
      if (signal.aborted) {
        failures = 0
        continue
      }
      failures = steady ? 1 : failures + 1
      const isAbsent = problem?.code === 'unavailable' || problem?.code === 'forbidden'
      const { first, last } = WAITS[isAbsent ? 'absent' : 'failing']
      const wait = backoffMs(failures - 1, first, last, this.#clock.random())
      await this.#clock
        .sleep(Math.max((problem?.retryAfter ?? 0) * 1000, wait), signal)
        .catch(() => undefined)
    }
  }

  /** Returns the reason for the end, if known. */
  async #listen(signal: AbortSignal): Promise<Problem | null> {
    try {
      for await (const { event, data } of this.#ports
        .client()
        .events(api.notifications.events, {}, { signal })) {
        const told = this.#read(event, data)
        if (!told) continue
        this.#tells = true
        if (told.kind === 'signed-out') {
          // Only the service's own answer to the token ends a session.
          void this.#ports
            .client()
            .check()
            .catch(() => undefined)
          return null
        }
        this.#take(told)
      }
      return null
    } catch (error) {
      if (error instanceof PanelProblem) return error.problem
      if (!signal.aborted) this.#ports.log.warn('the stream of an account failed', { error })
      return null
    }
  }

  #read(event: string, data: string): AccountEvent | null {
    const findings = new Findings()
    const told = readAccountEvent(event, data, findings)
    this.#ports.client().noteDrift(api.notifications.events, findings.drifts, findings.numbers)
    return told
  }

  #take(told: Exclude<AccountEvent, { kind: 'signed-out' }>): void {
    const due = this.#due
    switch (told.kind) {
      case 'notification': {
        due.reads.add('notifications.list')
        const { notification } = told.data
        if (!notification) break
        const { kind } = notification
        if (typeof kind === 'string') for (const read of STALE_BY[kind] ?? []) due.reads.add(read)
        if (due.came.length < CAME_MOST) due.came.push(notification)
        break
      }
      case 'servers':
        for (const read of LISTS) due.reads.add(read)
        break
      case 'scopes': {
        const { serverId } = told.data
        due.reads.add('servers.list')
        if (serverId && due.scopes.size < SCOPES_MOST) due.scopes.add(serverId)
        else due.allScopes = true
      }
    }
    void this.#flushSoon()
  }

  async #flushSoon(): Promise<void> {
    if (this.#flushing) return
    this.#flushing = true
    const wait = Math.max(0, this.#flushedAt + GATHER_MS - this.#clock.elapsed())
    await this.#clock.sleep(wait, this.#closed.signal).catch(() => undefined)
    this.#flushing = false
    if (this.#ended) return
    this.#flushedAt = this.#clock.elapsed()
    const { reads, scopes, allScopes, came } = this.#due
    this.#due = nothingDue()
    const { stale, onNotification } = this.#ports
    if (reads.size > 0) stale([...reads])
    if (allScopes) stale(OF_A_SERVER)
    else for (const serverId of scopes) stale(OF_A_SERVER, serverId)
    for (const notification of came) if (this.#isNew(notification.id)) onNotification(notification)
  }

  #isNew(id: string): boolean {
    if (this.#shown.has(id)) return false
    if (this.#shown.size >= SHOWN_MOST) this.#shown.clear()
    this.#shown.add(id)
    return true
  }

  async #askAlways(): Promise<void> {
    while (!this.#ended) {
      const pause = backoffMs(this.#asked, ASKED.first, ASKED.last, this.#clock.random())
      this.#asking = new AbortController()
      await this.#clock.sleep(pause, this.#asking.signal).catch(() => undefined)
      if (this.#asking.signal.aborted) continue
      if (this.#tells) this.#asked = 0
      else if (this.#ports.isLookedAt()) {
        this.#asked++
        await this.#ports.read()
      }
    }
  }
}

const nothingDue = () => ({
  reads: new Set<ReadId>(),
  scopes: new Set<string>(),
  allScopes: false,
  came: [] as Notification[],
})
