import type { User } from '../../contract/areas/account.ts'
import { consoleOperations } from '../../contract/areas/console.ts'
import type { ErrorBody } from '../../contract/declarations/errors.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import {
  AT_SERVER,
  BROKEN,
  NO_ROOM,
  NOT_NOW,
  type Problem,
  type ProblemCode,
} from '../../contract/bridge/problem.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { textsAtFields, toldBy } from '../../contract/messages/told.ts'
import { type Extra, problemOf } from '../base/problem.ts'
import { retryAfterSeconds } from '../base/retry.ts'

/** What the token check said after a 401. */
export type TokenCheck =
  /** `user` where the service said whose token it is. */
  | { kind: 'valid'; user?: User }
  /** The service knows whose token it is, and refuses all that would tell who that is. */
  | { kind: 'refused'; problem: Problem }
  /** The service refused the token there too. */
  | { kind: 'rejected' }
  /** The service offers nothing the token can be checked with. */
  | { kind: 'unavailable' }
  | { kind: 'failed'; problem: Problem }

/** What a list of servers tells of one of them. `unavailable`: there is none that can tell. */
export type ListCheck =
  { kind: 'gone' } | { kind: 'there' } | { kind: 'unavailable' } | { kind: 'failed'; problem: Problem }

/** An answer of a service, as far as its class depends on it. */
export interface Arrived {
  op: Pick<Operation, 'id' | 'path'>
  status: number
  retryAfter?: string | null
  /** The parsed error body; null where there was none or it is no error body. */
  error: ErrorBody['error'] | null
  tokenSent: boolean
  /** Statuses outside 2xx that the caller takes as an answer. */
  accept?: readonly number[]
  /** The request went to something an operation made (`raw.ts`), of which a list of servers knows nothing. */
  below?: boolean
  /** With a 2xx: whether it could be read and fits the schema. */
  fit?:
    | { kind: 'fits' }
    | { kind: 'misfit'; path: string; why: Said }
    | { kind: 'broken'; why: Said }
    /** Of a write: the body takes back what the status says, or says nothing that could be read. */
    | { kind: 'unconfirmed'; why: Said }
    /** Of a write that is nothing without its answer: the body says that it was refused. */
    | { kind: 'denied' }
    /** Of a write: the service says of itself that it did not take it. */
    | { kind: 'refused' }
  /** Why a redirect was not followed. */
  redirect?: Said
  tokenCheck?: TokenCheck
  listCheck?: ListCheck
  /** The operation was answered well a short while ago, so a 404 does not say that it is not offered. */
  doubtful?: boolean
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  now: number
}

export type Classified =
  | { kind: 'ok' }
  /** Ask the token check, then classify again with what it said. */
  | { kind: 'check-token' }
  /** Read a fresh list of servers, then classify again with what it said. */
  | { kind: 'check-list' }
  | { kind: 'problem'; problem: Problem }

/**
 * Whether a write that was answered like this, and not taken for done, may have been done all the same. A refusal
 * says that it was not; of what lies behind a redirect or a fault of the service nobody knows.
 */
export const leavesOpen = ({ status, fit }: Pick<Arrived, 'status' | 'fit'>): boolean =>
  (status < 300 && fit?.kind !== 'refused') ||
  (status >= 300 && status < 400 && status !== 307 && status !== 308) ||
  (status >= 500 && status !== 501 && status !== 507)

/** Operations that name in their query what they are about, so that a 404 can be about that. */
const namedInQuery: ReadonlySet<string> = new Set([consoleOperations.events.id])

/** Of a server there is an owner, who can be asked for the permission. */
const whose = ({ path }: Arrived['op']): Extra => (path.includes(':serverId') ? { detail: AT_SERVER } : {})

type Fail = (code: ProblemCode, otherwise: Said, extra?: Extra) => Classified

/** The list in contract.md ("Errors"): which class of the specification's §7 an answer belongs to. */
export function classify(arrived: Arrived): Classified {
  const { status, error, op } = arrived
  const fail: Fail = (code, otherwise, extra = {}) => ({
    kind: 'problem',
    problem: problemOf(
      code,
      error?.message ? toldBy({ ...error, message: error.message.slice(0, 2000) }) : otherwise,
      {
        ...(error?.code ? { serviceCode: error.code } : {}),
        ...(error?.fields ? { fields: error.fields } : {}),
        ...(error?.fieldSentences ? { fieldTexts: textsAtFields(error.fieldSentences) } : {}),
        ...extra,
      },
    ),
  })
  const unavailable = () =>
    fail('unavailable', say('answer.unavailable'), { detail: op.id, fields: undefined })
  const wait = retryAfterSeconds(arrived.retryAfter, arrived.now)
  const later = wait === null ? {} : { retryAfter: wait }

  if ((status >= 200 && status < 300) || arrived.accept?.includes(status)) return taken(arrived, fail)
  switch (status) {
    case 401:
      return refusedToken(arrived, fail)
    case 403:
      return fail('forbidden', say('answer.forbidden'), whose(op))
    case 404:
      return notThere(arrived, fail, unavailable)
    case 410:
      if (arrived.below) return fail('not-found', say('answer.gone'))
      break
    case 405:
    case 501:
      return unavailable()
    case 400:
    case 415:
    case 422:
      return fail('invalid', say('answer.invalid'))
    case 413:
      return fail('too-large', say('answer.too-large'))
    case 409:
      return fail('conflict', say('answer.conflict'))
    case 412:
      return fail('changed', say('answer.changed'))
    case 429:
      return fail('rate-limited', say('answer.slow-down'), later)
  }
  // No room: the same again cannot help until somebody makes some.
  if (status === 507) {
    return fail('service-failed', say('answer.no-room'), { retryable: false, detail: NO_ROOM })
  }
  if (status === 503) {
    return fail('service-failed', say('answer.failed', { status }), { ...later, detail: NOT_NOW })
  }
  if (status >= 500) return fail('service-failed', say('answer.failed', { status }), later)
  if (status >= 300 && status < 400) {
    return fail('incompatible', arrived.redirect ?? say('answer.status', { status }), { detail: 'status' })
  }
  return fail('incompatible', say('answer.status', { status }), { detail: 'status' })
}

/** A success, as far as what it carries could be read. */
function taken({ fit = { kind: 'fits' }, error }: Arrived, fail: Fail): Classified {
  switch (fit.kind) {
    case 'fits':
      return { kind: 'ok' }
    case 'misfit':
      return fail('incompatible', fit.why, { detail: fit.path })
    case 'broken':
      return fail('service-failed', fit.why, { detail: BROKEN })
    case 'unconfirmed':
      return fail('unconfirmed', fit.why)
    case 'refused':
      return fail(
        'invalid',
        say(error?.code || error?.fields ? 'answer.not-accepted' : 'answer.not-accepted-unsaid'),
      )
    case 'denied':
      return fail('invalid', say('answer.credentials'))
  }
}

/** A 401: the token may be over, or what was sent besides it may be wrong. */
function refusedToken({ tokenSent, tokenCheck: check }: Arrived, fail: Fail): Classified {
  const wrong = () => fail('invalid', say('answer.credentials'))
  if (!tokenSent) return wrong()
  if (!check) return { kind: 'check-token' }
  switch (check.kind) {
    case 'valid':
    case 'refused':
      return wrong()
    case 'failed':
      return { kind: 'problem', problem: check.problem }
    case 'rejected':
    case 'unavailable':
      // Where nothing else can be asked, the protected call itself was the check.
      return fail('signed-out', say('answer.signed-out'))
  }
}

/** A 404: the thing may be gone, or the service may not offer the operation. */
function notThere(arrived: Arrived, fail: Fail, unavailable: () => Classified): Classified {
  const { error, op, listCheck: check } = arrived
  const code = error?.code ? { serviceCode: error.code } : {}
  const notOffered = (): Classified =>
    arrived.doubtful
      ? { kind: 'problem', problem: problemOf('service-failed', say('answer.not-there-now'), code) }
      : unavailable()
  const gone = () => fail('not-found', say('answer.gone'))
  const speaksOfThing = error?.code !== undefined && /(^|[.\-_])not-found$/.test(error.code)
  if (namedInQuery.has(op.id) && speaksOfThing && error.code !== 'route.not-found') return gone()
  if (!op.path.includes(':')) return notOffered()
  if (arrived.below || speaksOfThing) return gone()
  // A list of servers can only tell about servers.
  if (!op.path.includes(':serverId')) return notOffered()
  if (!check) return { kind: 'check-list' }
  switch (check.kind) {
    case 'gone':
      return gone()
    case 'failed':
      return { kind: 'problem', problem: check.problem }
    case 'there':
    case 'unavailable':
      return notOffered()
  }
}
