import { randomUUID } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { account, type Session } from '../../contract/areas/account.ts'
import type { InputOf, Operation, OutputOf } from '../../contract/areas/operation.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import type { Stop } from '../../contract/bridge/way.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { baseAddress } from '../api/address.ts'
import { ApiClient } from '../api/client.ts'
import { PanelProblem, problem } from '../api/problem.ts'
import type { Profiles } from '../api/profile.ts'
import { type Clock, systemClock } from '../api/retry.ts'
import { type Log, noLog } from '../logging/log.ts'
import type { ConnectionRecords } from './connection-records.ts'
import { type Identity, LiveConnection, type LivePorts } from './live-connection.ts'
import { recordOf, recordUser, sameEmail, sameUser } from './identity.ts'
import type { SecretStore } from './secret-store.ts'

export type { ConnectionRecord, ConnectionRecords, RecordUser } from './connection-records.ts'

/** Id of the connection to the built-in service. */
export const LOCAL_ID = 'local'
/** A sign-in waits so long for the keychain and then goes on; the token moves there behind it. */
const KEYCHAIN_PATIENCE_MS = 1500
/** Signing out waits so long for the service: it works without it. */
const SIGN_OUT_MS = 5000

export interface ConnectionsPorts {
  records: ConnectionRecords
  secrets: SecretStore
  dispatcher: Dispatcher
  /** Before the token goes: ends what a connection has under way, in a few seconds at most. */
  leave?(connectionId: string): Promise<void>
  /** Removes everything kept of a connection: cache, archive, queues. */
  wipe(connectionId: string): Promise<void>
  /** Reads the API profiles; asked at `load` and at every `retry`. */
  profiles?: () => Promise<Profiles>
  log?: Log
  clock?: Clock
  /** Until the head of an answer, ms. */
  timeoutMs?: number
}

interface SignIn {
  baseUrl: string
  email: string
  password: string
}

/** All connections of the panel, on several services side by side. What people type as `baseUrl` is read here. */
export class Connections {
  readonly #ports: ConnectionsPorts
  readonly #clock: Clock
  readonly #log: Log
  readonly #live = new Map<string, LiveConnection>()
  readonly #listeners = new Set<(list: Connection[]) => void>()
  /** Tokens on their way into the keychain, by connection. */
  readonly #writing = new Map<string, Promise<void>>()
  #local: LiveConnection | null = null
  /** Stands in the list while the built-in service has no address yet. */
  #localWaits: ConnectionState | null = null
  #profiles: Profiles = { byBaseUrl: new Map(), faults: [] }

  constructor(ports: ConnectionsPorts) {
    this.#ports = ports
    this.#clock = ports.clock ?? systemClock
    this.#log = ports.log ?? noLog
  }

  /** Reads records and profiles. Asks neither the keychain nor a service. */
  async load(): Promise<void> {
    const [records] = await Promise.all([this.#ports.records.all(), this.#readProfiles()])
    for (const record of records) {
      // A token that was in memory ended with the last run.
      const kept = record.tokenKept === 'keychain'
      const identity: Identity = { ...record, tokenKept: kept ? 'keychain' : 'none' }
      this.#live.set(record.id, this.#makeLive(identity, kept ? { kind: 'ready' } : { kind: 'signed-out' }))
    }
    this.#tell()
  }

  /** Every connection; this computer first, then in the order they were made. */
  list(): Connection[] {
    const local = this.#localView()
    return [...(local ? [local] : []), ...[...this.#live.values()].map((live) => live.view)]
  }

  /** Throws `not-found` where there is no such connection. */
  get(connectionId: string): Connection {
    const local = connectionId === LOCAL_ID ? this.#localView() : null
    return local ?? this.#find(connectionId).view
  }

  onChange(listener: (list: Connection[]) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The client of a connection, the same one for as long as the connection and its address stay. Throws `not-found`. */
  client(connectionId: string): ApiClient {
    return this.#find(connectionId).client
  }

  /** Signs in by email and password. The same user at the same service goes on with the connection there is. */
  async signIn({ baseUrl, email, password }: SignIn): Promise<Connection> {
    const at = baseAddress(baseUrl)
    const session = await this.#ask(at, account.signIn, { body: { email, password } })
    return this.#adopt(at, session)
  }

  /** Signs in by a pasted access token, which is checked first. `invalid` with `fields.token` where it is refused. */
  async useToken({ baseUrl, token: pasted }: { baseUrl: string; token: string }): Promise<Connection> {
    const at = baseAddress(baseUrl)
    const token = pasted.trim().replace(/^bearer\s+/i, '')
    const wrong = (why: Said) => problem('invalid', why, { fields: { token: [why.message] } })
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw wrong(say('account.token-form'))
    }
    const shown = this.#log.hide(token)
    const client = this.#clientAt(at, token)
    try {
      const check = await client.check()
      switch (check.kind) {
        case 'failed':
          throw new PanelProblem(check.problem)
        case 'rejected':
          throw wrong(say('account.token-refused'))
        case 'valid':
          return await this.#adopt(at, { token, expiresAt: null, user: check.user ?? null })
        case 'unavailable':
          throw problem('incompatible', say('account.no-service'))
      }
    } finally {
      client.close()
      shown()
    }
  }

  async register(input: { baseUrl: string; name: string; email: string; password: string }): Promise<void> {
    const { baseUrl, ...body } = input
    await this.#ask(baseAddress(baseUrl), account.register, { body })
  }

  /**
   * Confirms the account by the code that was sent, which also signs in. Null where the service confirms it and gives no
   * token: what it answers is not stated (§4), so any success is one.
   */
  async confirm(input: { baseUrl: string; email: string; code: string }): Promise<Connection | null> {
    const { baseUrl, ...body } = input
    const at = baseAddress(baseUrl)
    let session: Session
    try {
      session = await this.#ask(at, account.confirm, { body })
    } catch (error) {
      if (!(error instanceof PanelProblem)) throw error
      const { code, detail } = error.problem
      // A web page is no answer, and neither is a strange status.
      if (code === 'incompatible' && detail !== 'body' && detail !== 'status') return null
      throw error
    }
    return this.#adopt(at, session)
  }

  async resend(input: { baseUrl: string; email: string }): Promise<void> {
    await this.#ask(baseAddress(input.baseUrl), account.resend, { body: { email: input.email } })
  }

  async forgot(input: { baseUrl: string; email: string }): Promise<void> {
    await this.#ask(baseAddress(input.baseUrl), account.forgot, { body: { email: input.email } })
  }

  /** Sets a new password by code. Older tokens die with it, so connections of that account are checked again. */
  async reset(input: { baseUrl: string; email: string; code: string; password: string }): Promise<void> {
    const { baseUrl, ...body } = input
    const at = baseAddress(baseUrl)
    await this.#ask(at, account.reset, { body })
    for (const live of this.#live.values()) {
      if (live.identity.baseUrl === at && sameEmail(live.identity.user, body.email)) live.client.forgetCheck()
    }
  }

  /** Other sessions of the account die; this one stays. */
  async updatePassword(input: {
    connectionId: string
    currentPassword: string
    newPassword: string
  }): Promise<void> {
    const { connectionId, ...body } = input
    await this.client(connectionId).send(account.updatePassword, { body })
  }

  /**
   * Signs out and wipes what is kept. Works without the service: then `revoked` is false and the token lives there until
   * `expiresAt`.
   */
  async signOut(connectionId: string): Promise<{ revoked: boolean; expiresAt: string | null }> {
    if (connectionId === LOCAL_ID) throw problem('refused', say('account.no-sign-out'))
    const live = this.#find(connectionId)
    const { expiresAt } = live.identity
    await this.#ports
      .leave?.(connectionId)
      .catch((error: unknown) => this.#log.warn('what was under way could not be ended', { err: error }))
    const revoked = await this.#revoke(live)
    live.close()
    this.#live.delete(connectionId)
    this.#tell()
    const ends = await Promise.allSettled([
      this.#forget(connectionId),
      // The record goes last: while something of it is left, it must be possible to sign out again.
      this.#ports.wipe(connectionId).then(() => this.#ports.records.remove(connectionId)),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return { revoked, expiresAt }
  }

  /** Asks the service again now, also for what it did not offer, and reads the profiles again. */
  async retry(connectionId: string): Promise<Connection> {
    if (connectionId === LOCAL_ID && !this.#local) return this.get(connectionId)
    const live = this.#find(connectionId)
    await this.#readProfiles()
    await live.retry()
    return live.view
  }

  /** The network came back or the computer woke up: services that were away are asked now. */
  async wake(): Promise<void> {
    const all = [...this.#live.values(), ...(this.#local ? [this.#local] : [])]
    await Promise.all(all.map((live) => live.wake()))
  }

  /** The built-in service stands. Its token is new at each start and lives in memory only. */
  setLocal({ baseUrl, session }: { baseUrl: string; session: Session }): Connection {
    this.#local?.close(problem('offline', say('local.restarted')))
    this.#localWaits = null
    this.#local = this.#makeLive(
      {
        id: LOCAL_ID,
        kind: 'local',
        name: 'This computer',
        baseUrl,
        user: recordUser(session.user),
        expiresAt: null,
        tokenKept: 'memory',
      },
      { kind: 'starting' },
    )
    this.#local.signedIn(session.token, {
      user: recordUser(session.user),
      expiresAt: session.expiresAt ?? null,
    })
    return this.#local.view
  }

  /** How the built-in service stands, as its launcher knows; null takes it out of the list. */
  localState(state: ConnectionState | null): void {
    if (state === null) {
      this.#local?.close(problem('offline', say('local.stopped')))
      this.#local = null
      this.#localWaits = null
    } else if (this.#local) return this.#local.stand(state)
    else this.#localWaits = state
    this.#tell()
  }

  /** Stops what runs in the background. Tokens in the keychain stay. */
  close(): void {
    const over = problem('offline', say('panel.closing'))
    for (const live of [...this.#live.values(), ...(this.#local ? [this.#local] : [])]) live.close(over)
    this.#listeners.clear()
  }

  async #readProfiles(): Promise<void> {
    if (!this.#ports.profiles) return
    this.#profiles = await this.#ports.profiles()
    for (const fault of this.#profiles.faults) this.#log.warn(fault)
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
      throw problem('offline', say('local.not-running'))
    }
    throw problem('not-found', say('account.gone'))
  }

  #makeLive(identity: Identity, state: ConnectionState): LiveConnection {
    const ports: LivePorts = {
      secrets: this.#ports.secrets,
      dispatcher: this.#ports.dispatcher,
      clock: this.#clock,
      log: this.#log,
      profile: (baseUrl) => this.#profiles.byBaseUrl.get(baseUrl) ?? null,
      ...(this.#ports.timeoutMs === undefined ? {} : { timeoutMs: this.#ports.timeoutMs }),
    }
    return new LiveConnection(ports, identity, state, (live, kept) => {
      if (kept && live.identity.kind === 'service') this.#saveBehind(live)
      this.#tell()
    })
  }

  #saveBehind(live: LiveConnection): void {
    // A connection that is just being made saves itself, once it is known to be wanted.
    if (this.#live.get(live.identity.id) !== live) return
    this.#ports.records.save(recordOf(live.identity)).catch((fault: unknown) => {
      this.#log.error('A connection could not be saved.', { connectionId: live.identity.id, err: fault })
    })
  }

  #tell(): void {
    const list = this.list()
    for (const listener of [...this.#listeners]) listener(list)
  }

  /** A client that is no connection (yet): with the token given, or none. */
  #clientAt(baseUrl: string, token: string | null): ApiClient {
    return new ApiClient({
      baseUrl,
      dispatcher: this.#ports.dispatcher,
      clock: this.#clock,
      profile: () => this.#profiles.byBaseUrl.get(baseUrl) ?? null,
      token: async () => token,
      ...(this.#ports.timeoutMs === undefined ? {} : { timeoutMs: this.#ports.timeoutMs }),
    })
  }

  async #ask<Op extends Operation>(baseUrl: string, op: Op, input: InputOf<Op>): Promise<OutputOf<Op>> {
    return (await this.#clientAt(baseUrl, null).send(op, input)).value
  }

  async #adopt(
    baseUrl: string,
    session: Pick<Session, 'token' | 'expiresAt'> & { user: Session['user'] | null },
  ): Promise<Connection> {
    const user = session.user && recordUser(session.user)
    const news = { user, expiresAt: session.expiresAt ?? null }
    const same = [...this.#live.values()].find(
      (live) =>
        live.identity.baseUrl === baseUrl &&
        (live.holds(session.token) || sameUser(live.identity.user, live.state, user)),
    )
    const identity = { id: randomUUID(), kind: 'service', name: new URL(baseUrl).host, baseUrl } as const
    const live = same ?? this.#makeLive({ ...identity, ...news, tokenKept: 'none' }, { kind: 'ready' })
    live.signedIn(session.token, news)
    const { id } = live.identity
    if (!same) this.#live.set(id, live)

    await this.#keep(live, session.token)
    await this.#ports.records.save(recordOf(live.identity))
    this.#tell()
    return live.view
  }

  /** Hands a token to the keychain, but waits for it only so long. */
  async #keep(live: LiveConnection, token: string): Promise<void> {
    const { id } = live.identity
    const writing = (this.#writing.get(id) ?? Promise.resolve())
      .then(() => this.#ports.secrets.write(id, token))
      .then((kept) => {
        if (live.holds(token)) live.kept(kept)
      })
      .finally(() => {
        if (this.#writing.get(id) === writing) this.#writing.delete(id)
      })
    this.#writing.set(id, writing)
    const enough = new AbortController()
    const patience = this.#clock.sleep(KEYCHAIN_PATIENCE_MS, enough.signal).catch(() => {})
    await Promise.race([writing, patience])
    enough.abort()
  }

  async #forget(connectionId: string): Promise<void> {
    // A token that is still on its way in would otherwise outlive its connection.
    await this.#writing.get(connectionId)
    const gone = await this.#ports.secrets.clear(connectionId)
    if (!gone) this.#log.warn('The keychain did not confirm that a token is gone.', { connectionId })
  }

  /** Whether the token is dead now, as far as the service said so. */
  async #revoke(live: LiveConnection): Promise<boolean> {
    if (live.rejected) return true
    try {
      if ((await live.token()) === null) return false
      await live.client.send(account.signOut, {}, { signal: AbortSignal.timeout(SIGN_OUT_MS) })
      return true
    } catch (fault) {
      return fault instanceof PanelProblem && fault.problem.code === 'signed-out'
    }
  }
}
