import type { User } from '../../contract/areas/account.ts'
import { consoleOperations } from '../../contract/areas/console.ts'
import type { ErrorBody } from '../../contract/declarations/errors.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import {
  AT_SERVER,
  BROKEN,
  BUSY,
  NO_ROOM,
  NOT_NOW,
  type Problem,
  type ProblemCode,
} from '../../contract/bridge/problem.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { textsAtFields, localizedError } from '../../contract/messages/error-report.ts'
import { type ProblemFields, problemOf } from '../base/problem.ts'
import { retryAfterSeconds } from '../base/retry.ts'

export type TokenCheck =
  | { kind: 'valid'; user?: User }
  /** The token is accepted, but every identifying request is refused. */
  | { kind: 'refused'; problem: Problem }
  | { kind: 'rejected' }
  /** The service has no operation that could check the token. */
  | { kind: 'unavailable' }
  | { kind: 'failed'; problem: Problem }

/** `unavailable`: there is no list that could answer. */
export type ListCheck =
  { kind: 'gone' } | { kind: 'there' } | { kind: 'unavailable' } | { kind: 'failed'; problem: Problem }

export interface ResponseSummary {
  op: Pick<Operation, 'id' | 'path'>
  status: number
  retryAfter?: string | null
  error: ErrorBody['error'] | null
  tokenSent: boolean
  accept?: readonly number[]
  /** The request went to something created by an operation (`raw.ts`), which a server list can't know. */
  below?: boolean
  /** With a 2xx: whether it was readable and fits the schema. */
  fit?:
    | { kind: 'fits' }
    | { kind: 'misfit'; path: string; why: LocalizedText }
    | { kind: 'broken'; why: LocalizedText }
    /** Write: the body contradicts the status or is unreadable. */
    | { kind: 'unconfirmed'; why: LocalizedText }
    /** Write that needs its answer: the body says it was refused. */
    | { kind: 'denied' }
    /** Write: the service says it did not accept it. */
    | { kind: 'refused' }
  redirect?: LocalizedText
  tokenCheck?: TokenCheck
  listCheck?: ListCheck
  /** The operation worked recently, so a 404 doesn't mean it isn't offered. */
  doubtful?: boolean
  /** Milliseconds since 1970, for a `Retry-After` date. */
  now: number
}

export type Classification =
  | { kind: 'ok' }
  /** Run the token check, then classify again. */
  | { kind: 'check-token' }
  /** Read a fresh server list, then classify again. */
  | { kind: 'check-list' }
  | { kind: 'problem'; problem: Problem }

/** Whether an unconfirmed write may have been executed: a refusal rules it out. */
export const leavesOpen = ({ status, fit }: Pick<ResponseSummary, 'status' | 'fit'>): boolean =>
  (status < 300 && fit?.kind !== 'refused') ||
  (status >= 300 && status < 400 && status !== 307 && status !== 308) ||
  (status >= 500 && status !== 501 && status !== 507)

/** Operations that identify their subject in the query, so that a 404 may refer to it. */
const namedInQuery: ReadonlySet<string> = new Set([consoleOperations.events.id])

/** A server has an owner who can grant permission. */
const whose = ({ path }: ResponseSummary['op']): ProblemFields =>
  path.includes(':serverId') ? { detail: AT_SERVER } : {}

type ProblemFactory = (code: ProblemCode, otherwise: LocalizedText, extra?: ProblemFields) => Classification

/** Maps an answer to an error class of specification §7 (contract.md, "Errors"). */
export function classify(arrived: ResponseSummary): Classification {
  const { status, error, op } = arrived
  const fail: ProblemFactory = (code, otherwise, extra = {}) => ({
    kind: 'problem',
    problem: problemOf(
      code,
      error?.message ? localizedError({ ...error, message: error.message.slice(0, 2000) }) : otherwise,
      {
        ...(error?.code ? { serviceCode: error.code } : {}),
        ...(error?.fields ? { fields: error.fields } : {}),
        ...(error?.fieldSentences ? { fieldTexts: textsAtFields(error.fieldSentences) } : {}),
        ...extra,
      },
    ),
  })
  const unavailable = () =>
    fail('unavailable', localized('answer.unavailable'), { detail: op.id, fields: undefined })
  const wait = retryAfterSeconds(arrived.retryAfter, arrived.now)
  const later = wait === null ? {} : { retryAfter: wait }

  if ((status >= 200 && status < 300) || arrived.accept?.includes(status)) return taken(arrived, fail)
  switch (status) {
    case 401:
      return refusedToken(arrived, fail)
    case 403:
      return fail('forbidden', localized('answer.forbidden'), whose(op))
    case 404:
      return notThere(arrived, fail, unavailable)
    case 410:
      if (arrived.below) return fail('not-found', localized('answer.gone'))
      break
    case 405:
    case 501:
      return unavailable()
    case 400:
    case 415:
    case 422:
      return fail('invalid', localized('answer.invalid'))
    case 413:
      return fail('too-large', localized('answer.too-large'))
    case 409:
      return fail('conflict', localized('answer.conflict'))
    case 412:
      return fail('changed', localized('answer.changed'))
    case 429:
      return fail('rate-limited', localized('answer.slow-down'), later)
    case 423:
      return fail('service-failed', localized('answer.conflict'), { ...later, detail: BUSY })
  }
  // Retrying doesn't help until space is freed.
  if (status === 507) {
    return fail('service-failed', localized('answer.no-room'), { retryable: false, detail: NO_ROOM })
  }
  if (status === 503) {
    return fail('service-failed', localized('answer.failed', { status }), { ...later, detail: NOT_NOW })
  }
  if (status >= 500) return fail('service-failed', localized('answer.failed', { status }), later)
  if (status >= 300 && status < 400) {
    return fail('incompatible', arrived.redirect ?? localized('answer.status', { status }), {
      detail: 'status',
    })
  }
  return fail('incompatible', localized('answer.status', { status }), { detail: 'status' })
}

function taken({ fit = { kind: 'fits' }, error }: ResponseSummary, fail: ProblemFactory): Classification {
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
        localized(error?.code || error?.fields ? 'answer.not-accepted' : 'answer.not-accepted-unsaid'),
      )
    case 'denied':
      return fail('invalid', localized('answer.credentials'))
  }
}

/** A 401: the token may have expired, or another credential in the request is wrong. */
function refusedToken(
  { tokenSent, tokenCheck: check }: ResponseSummary,
  fail: ProblemFactory,
): Classification {
  const wrong = () => fail('invalid', localized('answer.credentials'))
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
      // With nothing else to ask, the protected call itself was the check.
      return fail('signed-out', localized('answer.signed-out'))
  }
}

/** A 404: the resource may be gone, or the operation not offered. */
function notThere(
  arrived: ResponseSummary,
  fail: ProblemFactory,
  unavailable: () => Classification,
): Classification {
  const { error, op, listCheck: check } = arrived
  const code = error?.code ? { serviceCode: error.code } : {}
  const notOffered = (): Classification =>
    arrived.doubtful
      ? { kind: 'problem', problem: problemOf('service-failed', localized('answer.not-there-now'), code) }
      : unavailable()
  const gone = () => fail('not-found', localized('answer.gone'))
  const speaksOfThing = error?.code !== undefined && /(^|[.\-_])not-found$/.test(error.code)
  if (namedInQuery.has(op.id) && speaksOfThing && error.code !== 'route.not-found') return gone()
  if (!op.path.includes(':')) return notOffered()
  if (arrived.below || speaksOfThing) return gone()
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
