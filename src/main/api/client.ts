import { Readable } from 'node:stream'
import type { InputOf, Operation, OutputOf } from '../../contract/declarations/operation.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { unlessAborted } from '../../contract/rules/lanes.ts'
import { attempt, type Attempt, type AttemptResult, type Endpoint, unsureOf } from './attempt.ts'
import { BodyThread } from './body/body-thread.ts'
import { type ResponseSummary, classify, leavesOpen, type TokenCheck } from './classify.ts'
import { discard, measures, type OpenBytes } from './requests/content.ts'
import { NumericIds, type StoredIds, type NumericId } from './numeric-ids.ts'
import { checkList, checkToken } from './checks.ts'
import { readEvents, type StreamEvent } from './events.ts'
import { MissingOperations } from './offered.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import { type ApiProfile, shapeOf, wireOf } from './profile/profile.ts'
import {
  type Reachability,
  ReachabilityTracker,
  patiently,
  RETRIES_MOST,
  type PatientCall,
} from './patience.ts'
import type { RawAnswer, RawRequest } from './requests/raw.ts'
import type { Drift } from './reader/drift.ts'
import type { RequestInput } from './requests/request.ts'
import { type Clock, systemClock } from '../base/retry.ts'
import { inServiceNames, type Shape } from './reader/shape.ts'
import type { Requester } from './requests/transport.ts'
import { suggestedFieldNames } from './profile/suggested-field-names.ts'
import { type SendResult, headed, heldSince, type AttemptOptions, type SendOptions } from './send-options.ts'

export type { Reachability } from './patience.ts'
export type { SendOptions } from './send-options.ts'

export interface ApiClientOptions {
  /** As returned by `baseAddress`. */
  baseUrl: string
  dispatcher: Requester
  profile?: () => ApiProfile | null
  /** Null if there is no session token. May reject with a problem. */
  token?: () => Promise<string | null>
  /** Until the head of the answer, ms; default 15 s. */
  timeoutMs?: number
  /** Longest silence on an event stream, ms; default 45 s (heartbeats come every 15 s). */
  silenceMs?: number
  clock?: Clock
  offered?: MissingOperations
  onReach?: (reach: Reachability) => void
  /** Reports differences from the contract: kinds and names, never values. */
  onDrift?: (op: Operation, drifts: readonly Drift[]) => void
  /** Values of the fixed headers a profile names; lower-case names. */
  constants?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** Which ids were numbers in earlier runs. */
  ids?: StoredIds
  onVerdict?: (verdict: TokenCheck) => void
}

/** The only place that parses and classifies answers. Throws `PanelProblem`, or the caller's abort reason. */
export class ApiClient {
  readonly baseUrl: string
  readonly offered: MissingOperations
  readonly #options: ApiClientOptions
  readonly #line: Endpoint
  readonly #clock: Clock
  readonly #closed = new AbortController()
  readonly #ids: NumericIds
  readonly #reaches: ReachabilityTracker
  /** Incremented with every new token, so that a verdict on an old one is ignored. */
  #epoch = 0
  #verdict: TokenCheck | null = null
  #checking: Promise<TokenCheck> | null = null

  constructor(options: ApiClientOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.baseUrl = options.baseUrl
    this.#ids = new NumericIds(options.ids)
    this.#reaches = new ReachabilityTracker((reach) => options.onReach?.(reach))
    this.offered = options.offered ?? new MissingOperations(this.#clock)
    this.#line = {
      baseUrl: options.baseUrl,
      profile: () => options.profile?.() ?? null,
      dispatcher: options.dispatcher,
      timeoutMs: options.timeoutMs ?? 15_000,
      silenceMs: options.silenceMs ?? 45_000,
      thread: new BodyThread(),
      now: () => this.#clock.now(),
    }
  }

  async send<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    options: SendOptions = {},
  ): Promise<SendResult<OutputOf<Op>>> {
    const done = await this.#patiently(op, options.signal, (late) =>
      this.#once(op, input as RequestInput, { ...headed(options), late }),
    )
    const { body } = done
    const about = { etag: done.etag, heldSince: heldSince(done.headers, this.#clock.now()) }
    if (!body) return { value: done.value as OutputOf<Op>, ...about }
    body.once('close', () => done.letGo())
    return { value: Readable.toWeb(body) as unknown as OutputOf<Op>, ...about }
  }

  async open<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    options: SendOptions = {},
  ): Promise<OpenBytes> {
    const sent: AttemptOptions = {
      ...headed(options),
      ...(options.range === undefined ? {} : { accept: [416] }),
    }
    const done = await this.#patiently(op, options.signal, (late) =>
      this.#once(op, input as RequestInput, { ...sent, late }),
    )
    const stream = done.body ?? Readable.from([], { objectMode: false })
    stream.once('close', () => done.letGo())
    const { status } = done.arrived
    return { status, stream, etag: done.etag, ...measures(status, done.headers) }
  }

  /** Sends a request of another protocol, such as tus; see `RawRequest`. */
  async raw(op: Operation, request: RawRequest): Promise<RawAnswer> {
    const { params, query, location, method, headers, body, accept, headMs, signal } = request
    const given: RequestInput = { ...(params ? { params } : {}), ...(query ? { query } : {}) }
    const done = await this.#once(op, given, {
      ...(signal ? { signal } : {}),
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { content: body }),
      ...(accept ? { accept } : {}),
      ...(headMs === undefined ? {} : { headMs }),
      raw: { ...(location === undefined ? {} : { location }), ...(method ? { method } : {}) },
      forgetful: location !== undefined || request.remember === false,
    })
    return { status: done.arrived.status, headers: done.headers, json: done.value ?? null }
  }

  /** The service's name for a field that accompanies an operation's bytes. */
  nameOf(op: Operation, field: string): string {
    return shapeOf(op, this.#line.profile())?.request?.[field] ?? field
  }

  /** Ends when the service ends the stream; a broken connection is thrown as `offline`. */
  async *events<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    options: { signal?: AbortSignal } = {},
  ): AsyncGenerator<StreamEvent, void, undefined> {
    const opened = await this.#once(op, input as RequestInput, headed(options))
    if (!opened.body) return
    try {
      yield* readEvents(opened.body, new URL(this.baseUrl).host)
    } catch (fault) {
      options.signal?.throwIfAborted()
      this.#throwIfClosed()
      // A proxy may cut long streams, so only a request can tell whether the service is down.
      void this.check().catch(() => {})
      throw fault
    } finally {
      opened.letGo()
    }
  }

  /** Token check (contract.md). Concurrent callers share one request. */
  check(): Promise<TokenCheck> {
    if (this.#checking) return this.#checking
    const epoch = this.#epoch
    const checking = checkToken((op, given, extra) => this.#classified(op, given, {}, extra))
      .then((check) => {
        if (this.#closed.signal.aborted || epoch !== this.#epoch) return check
        if (check.kind !== 'failed') this.#verdict = check
        this.#options.onVerdict?.(check)
        return check
      })
      .finally(() => {
        if (this.#checking === checking) this.#checking = null
      })
    this.#checking = checking
    return checking
  }

  /** The token is new or has probably expired: discard the verdict. */
  forgetCheck(): void {
    this.#epoch++
    this.#verdict = null
    this.#checking = null
  }

  /** A token from a fresh sign-in counts as checked. */
  trust(): void {
    this.forgetCheck()
    this.#verdict = { kind: 'valid' }
  }

  /** Ends all calls and refuses later ones with this problem. */
  close(reason: PanelProblem = problem('signed-out', localized('account.signed-out'))): void {
    this.#closed.abort(reason)
  }

  #throwIfClosed(): void {
    this.#closed.signal.throwIfAborted()
  }

  /** Protected reads wait until the token has been checked once per session. */
  async #gate(signal: AbortSignal | undefined): Promise<void> {
    const epoch = this.#epoch
    const check = this.#verdict ?? (await unlessAborted(this.check(), signal))
    if (epoch !== this.#epoch) return this.#gate(signal)
    if (check.kind === 'failed') throw new PanelProblem(check.problem)
    if (check.kind === 'rejected') {
      throw problem('signed-out', localized('answer.signed-out'))
    }
  }

  async #once(op: Operation, given: RequestInput, options: AttemptOptions): Promise<AttemptResult> {
    try {
      if (op.token) await this.#gate(options.signal)
      return await this.#classified(op, given, options, {})
    } finally {
      discard(options.content)
    }
  }

  async #classified(
    op: Operation,
    given: RequestInput,
    options: AttemptOptions,
    extra: Partial<ResponseSummary>,
  ): Promise<AttemptResult> {
    this.#throwIfClosed()
    const { signal } = options
    const wire = wireOf(op, this.#line.profile())
    if (wire.kind === 'off' || this.offered.missingSince(op.id) !== null) {
      throw problem('unavailable', localized('answer.unavailable'), { detail: op.id })
    }
    if (this.offered.large.has(op, given))
      throw problem('incompatible', localized('answer.unreadable-size'), { detail: 'body' })
    const token = op.token ? ((await this.#options.token?.()) ?? null) : null
    if (op.token && token === null) throw problem('signed-out', localized('account.sign-in-first'))
    const done = await this.#reported(op, given, { wire, token, options })
    const arrived = {
      ...done.arrived,
      ...extra,
      ...(options.accept ? { accept: options.accept } : {}),
      below: options.raw?.location !== undefined,
      doubtful: this.offered.doubts(op.id),
    }
    for (;;) {
      const verdict = classify(arrived)
      switch (verdict.kind) {
        case 'ok':
          this.offered.worked(op.id)
          return done
        case 'problem':
          done.letGo()
          if (arrived.error && (arrived.status === 400 || arrived.status === 422))
            this.noteDrift(op, suggestedFieldNames(op, arrived.error, shapeOf(op, this.#line.profile())))
          if (verdict.problem.code === 'service-failed' && arrived.status === 404) this.offered.doubted(op.id)
          if (verdict.problem.code === 'unavailable' && !options.forgetful && certain(op, arrived))
            this.offered.missing(op.id)
          throw op.kind === 'write' && leavesOpen(arrived)
            ? unsureOf(new PanelProblem(verdict.problem))
            : new PanelProblem(verdict.problem)
        case 'check-token':
          arrived.tokenCheck = await unlessAborted(this.check(), signal)
          break
        case 'check-list':
          arrived.listCheck = await checkList(
            (listOp, listGiven, listExtra) => this.#classified(listOp, listGiven, { signal }, listExtra),
            given.params?.serverId ?? '',
          )
          break
      }
    }
  }

  async #reported(
    op: Operation,
    given: RequestInput,
    { wire, token, options }: { wire: Attempt['wire']; token: string | null; options: AttemptOptions },
  ): Promise<AttemptResult> {
    const profile = this.#line.profile()
    const shape = shapeOf(op, profile)
    const constants = profile?.headers?.length ? await this.#options.constants?.(profile.headers) : undefined
    const outgoing = await this.#outgoing(op, given, shape)
    this.#throwIfClosed()
    const exchange = this.#reaches.begin()
    try {
      const done = await attempt(this.#line, {
        op,
        wire,
        given: outgoing,
        token,
        shape,
        ...(constants && { constants }),
        ...options,
        signals: [options.signal, this.#closed.signal],
      })
      exchange.reached()
      if (done.found?.numbers) this.#ids.take(done.found.numbers, op.answer, done.value)
      if (done.found?.isTooLarge) this.offered.large.add(op, given)
      if (done.found?.drifts) this.noteDrift(op, done.found.drifts)
      return done
    } catch (fault) {
      const tell = () => exchange.failed(fault)
      if (options.late) options.late(tell)
      else tell()
      throw fault
    }
  }

  /** The input in the service's names, with ids in their original type. */
  async #outgoing(op: Operation, given: RequestInput, shape: Shape | null): Promise<RequestInput> {
    const body = await this.#ids.sent(op.body, given.body)
    return inServiceNames(body === given.body ? given : { ...given, body }, shape?.request)
  }

  /** Records differences found by others, and ids that arrived as numbers. */
  noteDrift(op: Operation, drifts: readonly Drift[], numbers: readonly NumericId[] = []): void {
    this.#ids.take(numbers)
    if (drifts.length > 0 && !this.#closed.signal.aborted) this.#options.onDrift?.(op, drifts)
  }

  #patiently<T>(op: Operation, signal: AbortSignal | undefined, run: PatientCall<T>): Promise<T> {
    const wire = wireOf(op, this.#line.profile())
    const idempotent = op.method === 'GET' && wire.kind === 'send' && wire.method === 'GET'
    const most = idempotent ? RETRIES_MOST : 0
    return patiently(run, { clock: this.#clock, signal, most, within: this.#line.timeoutMs })
  }
}

/** Whether `unavailable` refers to the operation, not to something missing within a server. */
function certain(op: Operation, { status, listCheck }: ResponseSummary): boolean {
  if (status !== 404 || !op.path.includes(':')) return true
  return listCheck?.kind === 'there' && op.path.split(':').length === 2
}
