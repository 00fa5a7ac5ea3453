import { randomUUID } from 'node:crypto'
import { account, type Session } from '../../contract/areas/account.ts'
import { myAccount } from '../../contract/areas/my-account.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import type { Stop } from '../../contract/bridge/bridge.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import type { ApiProfile } from '../api/profile/profile.ts'
import { type Clock, systemClock } from '../base/retry.ts'
import type { Network } from '../api/requests/transport.ts'
import { type Log, noLog } from '../logging/log.ts'
import { readsAlone } from '../profiles/check-profile.ts'
import type { Profiles } from '../profiles/load-profiles.ts'
import { bareClients } from './bare-clients.ts'
import { GoogleSignIn } from './google/google-sign-in.ts'
import { type HostContext, type RequesterFactory, requesters } from './host-requesters.ts'
import { type ConnectionRecords, LOCAL_ID, type RecordUser } from './connection-records.ts'
import type { HeaderValue } from '../profiles/header-constants.ts'
import { type Identity, LiveConnection, type LivePorts } from './live-connection.ts'
import { nameAt, recordOf, recordUser, sameEmail, sameUser } from './identity.ts'
import { KeptTokens } from './kept-tokens.ts'
import { revoke } from './revoke.ts'
import type { SecretStore } from './secret-store.ts'
import { ServiceProfiles } from './service-profiles.ts'
import { type EarlyDrift, SignIn, type TakenSession } from './sign-in.ts'

export type { ConnectionRecord, ConnectionRecords, RecordUser } from './connection-records.ts'

export interface ConnectionsPorts {
  records: ConnectionRecords
  secrets: SecretStore
  dispatcher: Network
  /** What the panel has of consoles whose lines have no ids. */
  hosts?: HostContext
  /** Runs before the token is dropped: ends the connection's pending work within a few seconds. */
  leave?(connectionId: string): Promise<void>
  /** Removes the connection's cache, archive and queues. */
  wipe(connectionId: string): Promise<void>
  profiles?: () => Promise<Profiles>
  onDrift?: LivePorts['onDrift']
  numberIds?: LivePorts['numberIds']
  openExternal?: (url: string) => Promise<void>
  log?: Log
  clock?: Clock
  /** Time limit for response headers, in ms. */
  timeoutMs?: number
}

export class Connections {
  readonly #ports: ConnectionsPorts
  readonly #clock: Clock
  readonly #log: Log
  readonly profiles: ServiceProfiles
  readonly entry: SignIn
  readonly google: GoogleSignIn
  readonly #requesterAt: RequesterFactory
  readonly #clientAt: ReturnType<typeof bareClients>
  readonly #tokens: KeptTokens
  readonly #live = new Map<string, LiveConnection>()
  readonly #listeners = new Set<(list: Connection[]) => void>()
  #local: LiveConnection | null = null
  /** Listed while the built-in service has no address yet. */
  #localWaits: ConnectionState | null = null

  constructor(ports: ConnectionsPorts) {
    this.#ports = ports
    this.#clock = ports.clock ?? systemClock
    this.#log = ports.log ?? noLog
    const [clock, log] = [this.#clock, this.#log]
    const { secrets, timeoutMs } = ports
    const requesterAt = (this.#requesterAt = requesters(ports.dispatcher, secrets, ports.hosts))
    this.profiles = new ServiceProfiles({ secrets, load: ports.profiles, log })
    this.#tokens = new KeptTokens({ secrets, clock, log })
    this.#clientAt = bareClients({ requesterAt, clock, profiles: this.profiles, timeoutMs })
    this.entry = new SignIn({
      clientAt: this.#clientAt,
      adopt: (baseUrl, session, seen) => this.#adopt(baseUrl, session, seen),
      log,
    })
    const { clientAt, entry, profiles } = {
      clientAt: this.#clientAt,
      entry: this.entry,
      profiles: this.profiles,
    }
    const openExternal = ports.openExternal ?? (() => Promise.reject(new Error('there is no browser')))
    this.google = new GoogleSignIn({ clientAt, entry, profiles, openExternal })
  }

  /** Reads records and profiles without asking the keychain or a service. */
  async load(): Promise<void> {
    const [records] = await Promise.all([this.#ports.records.all(), this.profiles.load()])
    for (const record of records) {
      // Tokens in memory ended with the last run.
      const kept = record.tokenKept === 'keychain'
      const identity: Identity = { ...record, tokenKept: kept ? 'keychain' : 'none' }
      this.#live.set(record.id, this.#makeLive(identity, kept ? { kind: 'ready' } : { kind: 'signed-out' }))
    }
    this.#tell()
  }

  list(): Connection[] {
    const local = this.#localView()
    return [...(local ? [local] : []), ...[...this.#live.values()].map((live) => live.view)]
  }

  /** Throws `not-found`. */
  get(connectionId: string): Connection {
    const local = connectionId === LOCAL_ID ? this.#localView() : null
    return local ?? this.#find(connectionId).view
  }

  /** Signed-in users, without this computer's own service. */
  identities(): Identity[] {
    return [...this.#live.values()].map(({ identity }) => identity)
  }

  addSignedOut(baseUrl: string, user: RecordUser | null): void {
    const live = this.#makeNew({ baseUrl, user, expiresAt: null }, { kind: 'signed-out' })
    this.#live.set(live.identity.id, live)
    this.#saveBehind(live)
    this.#tell()
  }

  onChange(listener: (list: Connection[]) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The same client until the connection or its address changes. Throws `not-found`. */
  client(connectionId: string): ApiClient {
    return this.#find(connectionId).client
  }

  machines(connectionId: string): ReturnType<LiveConnection['machines']> {
    return this.#find(connectionId).machines()
  }

  /** Tries a profile using reads only; the connection's state stays untouched. */
  async probe<T>(
    connectionId: string,
    profile: ApiProfile,
    values: readonly HeaderValue[],
    work: (client: ApiClient) => Promise<T>,
  ): Promise<T> {
    const live = this.#find(connectionId)
    const { baseUrl } = live.identity
    using tried = this.profiles.headers.trying(baseUrl, values)
    const token = () => live.token()
    const client = this.#clientAt(baseUrl, { token, profile: readsAlone(profile), constants: tried.of })
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }

  /** Sets a new password by code. This revokes older tokens, so the account's connections are checked again. */
  async reset(input: { baseUrl: string; email: string; code: string; password: string }): Promise<void> {
    const at = await this.entry.reset(input)
    for (const live of this.#live.values()) {
      if (live.identity.baseUrl === at && sameEmail(live.identity.user, input.email))
        live.client.forgetCheck()
    }
  }

  async updatePassword(input: {
    connectionId: string
    currentPassword: string
    newPassword: string
    code?: string | undefined
  }): Promise<void> {
    const { connectionId, code, ...body } = input
    await this.client(connectionId).send(account.updatePassword, { body }, { secondFactor: code })
  }

  /** Works offline: `revoked` is then false. `everywhere` ends other sign-ins first, or a host's key; if it can't, nothing is done. */
  async signOut(
    connectionId: string,
    everywhere = false,
  ): Promise<{ revoked: boolean; expiresAt: string | null }> {
    if (connectionId === LOCAL_ID) throw problem('refused', localized('account.no-sign-out'))
    const live = this.#find(connectionId)
    const { expiresAt } = live.identity
    if (everywhere) await live.client.send(myAccount.endOtherSessions, {})
    await this.#ports
      .leave?.(connectionId)
      .catch((error: unknown) => this.#log.warn('what was under way could not be ended', { err: error }))
    const revoked = await revoke(live, everywhere)
    live.close()
    this.#live.delete(connectionId)
    const { baseUrl } = live.identity
    if (![...this.#live.values()].some((other) => other.identity.baseUrl === baseUrl))
      await this.profiles.forgetHeaders(baseUrl)
    this.#tell()
    const ends = await Promise.allSettled([
      this.#tokens.forget(live.identity),
      // Delete the record last, so a failed sign-out can be repeated.
      this.#ports.wipe(connectionId).then(() => this.#ports.records.remove(connectionId)),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return { revoked, expiresAt }
  }

  /** An empty name is the host of the address again. */
  change(connectionId: string, parts: Parameters<LiveConnection['change']>[0]): Connection {
    const live = this.#live.get(connectionId)
    if (!live) throw problem('not-found', localized('account.gone'))
    live.change(parts.name === '' ? { name: nameAt(live.identity.baseUrl) } : parts)
    return live.view
  }

  /** Asks the service again, including operations it did not offer, and re-reads the profiles. */
  async retry(connectionId: string): Promise<Connection> {
    if (connectionId === LOCAL_ID && !this.#local) return this.get(connectionId)
    const live = this.#find(connectionId)
    await this.profiles.load()
    void this.profiles.tidy(live.identity.baseUrl)
    await live.retry()
    return live.view
  }

  /** Network is back or the computer woke up: ask unreachable services now. */
  async wake(): Promise<void> {
    const all = [...this.#live.values(), ...(this.#local ? [this.#local] : [])]
    await Promise.all(all.map((live) => live.wake()))
  }

  /** The built-in service is running. Its token is new at each start and kept in memory only. */
  setLocal({ baseUrl, session }: { baseUrl: string; session: Session }): Connection {
    this.#local?.close(problem('offline', localized('local.restarted')))
    this.#localWaits = null
    this.#local = this.#makeLive(
      {
        id: LOCAL_ID,
        kind: 'local',
        name: 'This computer',
        baseUrl,
        user: session.user ? recordUser(session.user) : null,
        expiresAt: null,
        tokenKept: 'memory',
      },
      { kind: 'starting' },
    )
    this.#local.signedIn(session.token, {
      user: session.user ? recordUser(session.user) : null,
      expiresAt: session.expiresAt ?? null,
    })
    return this.#local.view
  }

  /** State of the built-in service as its launcher reports it; null removes it from the list. */
  localState(state: ConnectionState | null): void {
    if (state === null) {
      this.#local?.close(problem('offline', localized('local.stopped')))
      this.#local = null
      this.#localWaits = null
    } else if (this.#local) return this.#local.stand(state)
    else this.#localWaits = state
    this.#tell()
  }

  close(): void {
    const over = problem('offline', localized('panel.closing'))
    this.google.close()
    for (const live of [...this.#live.values(), ...(this.#local ? [this.#local] : [])]) live.close(over)
    this.#listeners.clear()
  }

  #localView(): Connection | null {
    if (this.#local) return this.#local.view
    if (!this.#localWaits) return null
    const waits = { id: LOCAL_ID, kind: 'local', name: 'This computer', baseUrl: '' } as const
    return { ...waits, user: null, state: this.#localWaits, tokenKept: 'none', expiresAt: null }
  }

  #find(connectionId: string): LiveConnection {
    const live = connectionId === LOCAL_ID ? this.#local : this.#live.get(connectionId)
    if (live) return live
    if (connectionId === LOCAL_ID && this.#localWaits) {
      throw problem('offline', localized('local.not-running'))
    }
    throw problem('not-found', localized('account.gone'))
  }

  #makeLive(identity: Identity, state: ConnectionState): LiveConnection {
    const ports: LivePorts = {
      secrets: this.#ports.secrets,
      requesterAt: this.#requesterAt,
      clock: this.#clock,
      log: this.#log,
      profile: (baseUrl) => this.profiles.of(baseUrl),
      constants: this.profiles.headers,
      keychainSpoke: (baseUrl) => void this.profiles.tidy(baseUrl),
      ...(this.#ports.onDrift && { onDrift: this.#ports.onDrift }),
      ...(this.#ports.numberIds && { numberIds: this.#ports.numberIds }),
      ...(this.#ports.timeoutMs === undefined ? {} : { timeoutMs: this.#ports.timeoutMs }),
    }
    return new LiveConnection(ports, identity, state, (live, kept) => {
      if (kept && live.identity.kind === 'service') this.#saveBehind(live)
      this.#tell()
    })
  }

  #makeNew(who: Pick<Identity, 'baseUrl' | 'user' | 'expiresAt'>, state: ConnectionState): LiveConnection {
    const name = nameAt(who.baseUrl)
    return this.#makeLive({ ...who, id: randomUUID(), kind: 'service', name, tokenKept: 'none' }, state)
  }

  #saveBehind(live: LiveConnection): void {
    if (this.#live.get(live.identity.id) !== live) return
    this.#ports.records.save(recordOf(live.identity)).catch((fault: unknown) => {
      this.#log.error('A connection could not be saved.', { connectionId: live.identity.id, err: fault })
    })
  }

  #tell(): void {
    const list = this.list()
    for (const listener of [...this.#listeners]) listener(list)
  }

  async #adopt(baseUrl: string, session: TakenSession, seen: EarlyDrift): Promise<Connection> {
    const user = session.user && recordUser(session.user)
    const news = { user, expiresAt: session.expiresAt ?? null }
    const same = [...this.#live.values()].find(
      (live) =>
        live.identity.baseUrl === baseUrl &&
        (live.holds(session.token) || sameUser(live.identity.user, live.state, user)),
    )
    const live = same ?? this.#makeNew({ baseUrl, ...news }, { kind: 'ready' })
    live.signedIn(session.token, news)
    const { id } = live.identity
    if (!same) this.#live.set(id, live)
    for (const [op, drifts] of seen) this.#ports.onDrift?.(id, op, drifts)

    await this.#tokens.keep(live, session.token)
    await this.#ports.records.save(recordOf(live.identity))
    this.#tell()
    return live.view
  }
}
