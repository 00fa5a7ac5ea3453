import type { HostMachines } from '../../hosts/base/adapter.ts'
import type { HostChoices } from '../../hosts/hosts.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import { hideToken } from './hide-token.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import type { TokenCheck } from '../api/classify.ts'
import type { StoredIds, NumericId } from '../api/numeric-ids.ts'
import { ApiClient, type Reachability } from '../api/client.ts'
import { PanelProblem, problem, problemOf } from '../base/problem.ts'
import type { ApiProfile } from '../api/profile/profile.ts'
import type { Drift } from '../api/reader/drift.ts'
import { backoffMs, type Clock } from '../base/retry.ts'
import type { RequesterFactory } from './host-requesters.ts'
import type { Log } from '../logging/log.ts'
import { type HeaderConstants, KEYCHAIN_SILENT } from '../profiles/header-constants.ts'
import { type Identity, newsOf } from './identity.ts'
import type { SecretStore } from './secret-store.ts'

/** An unreachable service is probed after 1 s, then at growing intervals up to a minute. */
const PROBE_FIRST_MS = 1000
const PROBE_LATEST_MS = 60_000

export type { Identity } from './identity.ts'

export interface LivePorts {
  secrets: SecretStore
  requesterAt: RequesterFactory
  clock: Clock
  log: Log
  profile(baseUrl: string): ApiProfile | null
  constants: HeaderConstants
  /** The keychain replied, so unneeded entries can be deleted. */
  keychainSpoke(baseUrl: string): void
  onDrift?(connectionId: string, op: Operation, drifts: readonly Drift[]): void
  /** Ids each service sent as numbers in earlier runs. */
  numberIds?: {
    read(connectionId: string): Promise<readonly NumericId[]>
    change(connectionId: string, added: readonly NumericId[], gone: readonly NumericId[]): void
  }
  timeoutMs?: number
}

export class LiveConnection {
  readonly client: ApiClient
  readonly #ports: LivePorts
  readonly #requester: ReturnType<RequesterFactory>
  readonly #changed: (live: LiveConnection, kept: boolean) => void
  #identity: Identity
  #state: ConnectionState
  #token: string | null = null
  #reading: Promise<string | null> | null = null
  #hidden: (() => void)[] = []
  #probes = 0
  #probe: AbortController | null = null
  #rejected = false
  #closed = false

  /** `changed` is called on every change; `kept` marks those the record must store. */
  constructor(
    ports: LivePorts,
    identity: Identity,
    state: ConnectionState,
    changed: (live: LiveConnection, kept: boolean) => void,
  ) {
    this.#ports = ports
    this.#identity = identity
    this.#state = state
    this.#changed = changed
    this.#requester = ports.requesterAt(identity.baseUrl, identity.id, () => this.#identity)
    this.client = new ApiClient({
      baseUrl: identity.baseUrl,
      dispatcher: this.#requester,
      clock: ports.clock,
      profile: () => ports.profile(identity.baseUrl),
      constants: (names) => this.#constants(names),
      onDrift: (op, drifts) => {
        if (identity.kind === 'service' && !this.#closed) ports.onDrift?.(identity.id, op, drifts)
      },
      ...(identity.kind === 'service' && ports.numberIds && { ids: this.#idsIn(ports.numberIds) }),
      token: () => this.token(),
      onReach: (reach) => this.#reached(reach),
      onVerdict: (verdict) => this.#judged(verdict),
      ...(ports.timeoutMs === undefined ? {} : { timeoutMs: ports.timeoutMs }),
    })
  }

  /** Nothing is stored for signed-out connections. */
  #idsIn(kept: NonNullable<LivePorts['numberIds']>): StoredIds {
    const { id } = this.#identity
    return {
      read: () => kept.read(id),
      change: (added, gone) => {
        if (!this.#closed) kept.change(id, added, gone)
      },
    }
  }

  get identity(): Identity {
    return this.#identity
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** True if the service itself rejected the token. */
  get rejected(): boolean {
    return this.#rejected
  }

  get view(): Connection {
    const { id, kind, name, baseUrl, user, expiresAt, tokenKept, consoleOrigin, plainRcon } = this.#identity
    return {
      id,
      kind: hostKindOf(baseUrl) ? 'host' : kind,
      name,
      baseUrl,
      user: user && { name: user.name, email: user.email },
      state: this.#state,
      tokenKept,
      expiresAt,
      ...(consoleOrigin !== undefined && { consoleOrigin }),
      ...(plainRcon && { plainRcon }),
    }
  }

  change(parts: Partial<Pick<Identity, 'name'> & HostChoices>): void {
    this.#identity = { ...this.#identity, ...parts }
    this.#changed(this, true)
  }

  /** Null if there is none. Rejects if the keychain is silent; that does not end the session. */
  async token(): Promise<string | null> {
    if (this.#token !== null || this.#identity.tokenKept === 'none') return this.#token
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** Header values. Rejects if the keychain is silent, like `token`. */
  async #constants(names: readonly string[]): Promise<Record<string, string>> {
    try {
      return await this.#ports.constants.of(this.#identity.baseUrl, names)
    } catch (error) {
      if (error instanceof PanelProblem && !this.#closed) this.#away(error.problem)
      throw error
    }
  }

  async #read(): Promise<string | null> {
    const found = await this.#ports.secrets.read(this.#identity.id)
    // A sign-in may have happened meanwhile.
    if (this.#token !== null || this.#closed) return this.#token
    switch (found.kind) {
      case 'found':
        this.#hold(found.token)
        this.#ports.keychainSpoke(this.#identity.baseUrl)
        return found.token
      case 'absent':
        this.#stand({ kind: 'signed-out' })
        return null
      case 'silent': {
        const silent = problemOf('offline', found.reason, { detail: KEYCHAIN_SILENT })
        this.#away(silent)
        throw problem('offline', found.reason, { detail: KEYCHAIN_SILENT })
      }
    }
  }

  #hold(token: string): void {
    this.#token = token
    this.#hidden.push(hideToken(this.#ports.log, token))
  }

  signedIn(token: string, news: Pick<Identity, 'user' | 'expiresAt'>): void {
    this.#hold(token)
    this.#rejected = false
    this.#stopProbing()
    this.#identity = { ...this.#identity, ...news, tokenKept: 'memory' }
    this.client.offered.askAgain()
    this.client.trust()
    this.#stand({ kind: 'ready' }, true)
  }

  kept(tokenKept: 'keychain' | 'memory'): void {
    if (this.#identity.tokenKept === tokenKept) return
    this.#identity = { ...this.#identity, tokenKept }
    this.#changed(this, true)
  }

  /** A host's machines that are entered over SSH, and what this connection is opened by; null for what there isn't. */
  async machines(): Promise<{ machines: HostMachines | null; key: string | null }> {
    return { machines: (await this.#requester.machines?.()) ?? null, key: await this.token() }
  }

  holds(token: string): boolean {
    return this.#token === token
  }

  /** Sets a state reported by the built-in service's launcher. */
  stand(state: ConnectionState): void {
    if (state.kind !== 'offline') this.#stopProbing()
    this.#stand(state)
  }

  async retry(): Promise<void> {
    this.client.offered.askAgain()
    if (this.#identity.tokenKept === 'none') return
    await this.client.check().catch((fault: unknown) => {
      this.#ports.log.warn('The token check failed.', { connectionId: this.#identity.id, err: fault })
    })
  }

  /** Asks an unreachable service without triggering a keychain dialog. */
  async wake(): Promise<void> {
    if (this.#state.kind !== 'offline' || this.#state.problem.detail === KEYCHAIN_SILENT) return
    this.#stopProbing()
    await this.client.check().catch(() => {})
  }

  close(reason?: PanelProblem): void {
    this.#closed = true
    this.#stopProbing()
    this.client.close(reason)
    this.#requester.close?.()
    this.#token = null
    // Log buffers may still contain the token, so keep redacting it for a while.
    const shown = this.#hidden
    this.#hidden = []
    setTimeout(() => shown.forEach((show) => show()), 60_000).unref()
  }

  #stand(state: ConnectionState, kept = false): void {
    if (this.#closed) return
    const same = JSON.stringify(state) === JSON.stringify(this.#state)
    this.#state = state
    if (!same || kept) this.#changed(this, kept)
  }

  #reached(reach: Reachability): void {
    if (this.#closed) return
    if (reach.kind === 'failed') return this.#away(reach.problem)
    this.#stopProbing()
    if (this.#state.kind === 'offline') this.#stand({ kind: 'ready' })
  }

  #away(why: Problem): void {
    if (this.#state.kind === 'signed-out' || this.#state.kind === 'starting') return
    const since =
      this.#state.kind === 'offline' ? this.#state.since : new Date(this.#ports.clock.now()).toISOString()
    this.#stand({ kind: 'offline', problem: why, since })
    // Each retry on a locked keychain would open its dialog again.
    if (why.detail !== KEYCHAIN_SILENT) this.#probeLater()
  }

  #judged(verdict: TokenCheck): void {
    this.#rejected = verdict.kind === 'rejected'
    if (verdict.kind === 'rejected') {
      this.#stopProbing()
      this.#stand({ kind: 'signed-out' })
    } else if (verdict.kind === 'valid' || verdict.kind === 'refused') {
      const news = verdict.kind === 'valid' && verdict.user && newsOf(this.#identity.user, verdict.user)
      if (news) this.#identity = { ...this.#identity, user: news }
      if (news || this.#state.kind === 'signed-out') this.#stand({ kind: 'ready' }, Boolean(news))
    }
  }

  #probeLater(): void {
    if (this.#probe || this.#closed) return
    const probe = new AbortController()
    this.#probe = probe
    const { clock } = this.#ports
    const wait = backoffMs(this.#probes++, PROBE_FIRST_MS, PROBE_LATEST_MS, clock.random())
    clock
      .sleep(wait, probe.signal)
      .then(() => {
        // The check makes `#reached` plan the next probe, so clear this one first.
        if (this.#probe === probe) this.#probe = null
        return this.client.check()
      })
      .then(() => {
        if (this.#state.kind === 'offline' && this.#state.problem.detail !== KEYCHAIN_SILENT)
          this.#probeLater()
      })
      .catch(() => {})
  }

  #stopProbing(): void {
    this.#probe?.abort(new Error('no longer needed'))
    this.#probe = null
    this.#probes = 0
  }
}
