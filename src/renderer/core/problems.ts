import { AT_SERVER, BROKEN, BUSY, NO_ROOM, NOT_NOW } from '../../contract/bridge/problem.ts'
import type { ProblemData } from './bridge.ts'
import { said, saidIn, t } from '../messages/t.svelte.ts'
import { offered } from './offered.ts'

/** `notice` disappears, `warning` needs a look, `error` needs an action. */
export type Severity = 'notice' | 'warning' | 'error'

export interface ProblemWords {
  severity: Severity
  what: string
  why: string | null
  /** Empty `lang`: a service wrote the reason, in an unknown language. */
  whyIn?: ''
  now: string
}

export function inWords(problem: ProblemData): ProblemWords {
  const words = wordsOf(problem)
  // If the outcome is unknown, check before repeating.
  return problem.unsure ? { ...words, now: t('problem.unsure.now') } : words
}

/** The service, or this account there, has no such thing: nothing is shown of it. */
export const isAbsent = (problem: ProblemData | null): boolean =>
  problem?.code === 'unavailable' || problem?.code === 'forbidden'

/** For a read that a view started: there is no input to correct. */
export function inWordsOfRead(problem: ProblemData): ProblemWords {
  const words = inWords(problem)
  return problem.code === 'invalid' ? { ...words, now: t('problem.service-failed.now') } : words
}

interface ProblemContext {
  problem: ProblemData
  words: string | null
  byService: string | null
}

function wordsOf(problem: ProblemData): ProblemWords {
  const words = said(problem).trim() || null
  // Only messages with a service code are written for people; others are for the log.
  const byService = problem.serviceCode === undefined ? null : words
  const made = table[problem.code]({ problem, words, byService })
  const isForeign = saidIn(problem) === ''
  if (byService !== null && !isForeign && saysAll(problem)) {
    const [, what = byService, why = null] = /^(.+?)\.\s+(.+)$/s.exec(byService) ?? []
    return { severity: made.severity, what: what.replace(/\.$/, ''), why, now: '' }
  }
  if (problem.serviceCode?.startsWith('computer.'))
    return { severity: 'error', what: t('problem.computer'), why: words, now: '' }
  return made.why !== null && made.why === words && isForeign ? { ...made, whyIn: '' } : made
}

/** Our own refusals say what happened and what to do, so that nothing is added to them. */
function saysAll({ code, detail, serviceCode }: ProblemData): boolean {
  if (serviceCode?.startsWith('computer.')) return true
  if (code === 'service-failed')
    return detail === NO_ROOM || detail === BUSY || (detail === NOT_NOW && serviceCode !== 'service.stopping')
  // Of a field alone: without the field, it says too little.
  if (serviceCode === 'request.invalid') return false
  return ['invalid', 'forbidden', 'not-found', 'too-large', 'conflict'].includes(code)
}

function failedWords({ problem, words, byService }: ProblemContext): ProblemWords {
  const severity = 'error'
  switch (problem.detail) {
    case NO_ROOM:
      return { severity, what: t('problem.no-room'), why: byService, now: t('problem.no-room.now') }
    case BUSY:
      return {
        severity: 'warning',
        what: t('problem.conflict'),
        why: byService,
        now: t('problem.not-now.now'),
      }
    case NOT_NOW: {
      // Our service's message would repeat this.
      const why = problem.serviceCode === 'service.stopping' ? null : byService
      return { severity, what: t('problem.not-now'), why, now: t('problem.not-now.now') }
    }
    case BROKEN:
      return { severity, what: t('problem.broken'), why: words, now: t('problem.service-failed.now') }
    default:
      return {
        severity,
        what: t('problem.service-failed'),
        why: byService,
        now: t('problem.service-failed.now'),
      }
  }
}

const table: Record<ProblemData['code'], (given: ProblemContext) => ProblemWords> = {
  'signed-out': () => ({
    severity: 'warning',
    what: t('problem.signed-out'),
    why: null,
    now: t('problem.signed-out.now'),
  }),
  invalid: ({ words }) => ({
    severity: 'error',
    what: t('problem.invalid'),
    why: words,
    now: t('problem.invalid.now'),
  }),
  forbidden: ({ problem, byService }) => ({
    severity: 'error',
    what: t('problem.forbidden'),
    why: byService,
    now: t(problem.detail === AT_SERVER ? 'problem.forbidden.now' : 'problem.forbidden.now-service'),
  }),
  'not-found': ({ byService }) => ({
    severity: 'warning',
    what: t('problem.not-found'),
    why: byService,
    now: t('problem.not-found.now'),
  }),
  unavailable: ({ problem }) => ({
    severity: 'notice',
    what: offered(problem.detail) ?? t('problem.unavailable'),
    why: null,
    now: t('problem.unavailable.now'),
  }),
  'too-large': ({ byService }) => ({
    severity: 'error',
    what: t('problem.too-large'),
    why: byService,
    now: t('problem.too-large.now'),
  }),
  conflict: ({ words }) => ({
    severity: 'warning',
    what: t('problem.conflict'),
    why: words,
    now: t('problem.conflict.now'),
  }),
  changed: () => ({
    severity: 'warning',
    what: t('problem.changed'),
    why: null,
    now: t('problem.changed.now'),
  }),
  incompatible: ({ problem, words }) => ({
    severity: 'error',
    what: t('problem.incompatible'),
    why: problem.detail ? t('problem.incompatible.why', { detail: problem.detail }) : words,
    now: t('problem.incompatible.now'),
  }),
  unconfirmed: ({ words }) => ({
    severity: 'warning',
    what: t('problem.unconfirmed'),
    why: words,
    now: t('problem.unsure.now'),
  }),
  'rate-limited': ({ problem, byService }) => ({
    severity: 'notice',
    what: t('problem.rate-limited'),
    why: byService,
    now: problem.retryAfter
      ? t('problem.rate-limited.wait', { count: Math.ceil(problem.retryAfter) })
      : t('problem.rate-limited.now'),
  }),
  'service-failed': failedWords,
  offline: ({ words }) => ({
    severity: 'warning',
    what: t('problem.offline'),
    why: words,
    now: t('problem.offline.now'),
  }),
  untrusted: ({ words }) => ({
    severity: 'error',
    what: t('problem.untrusted'),
    why: words,
    now: t('problem.untrusted.now'),
  }),
  'bad-address': ({ problem, words }) => ({
    severity: 'error',
    what: t('problem.bad-address'),
    why: saidAt(problem, 'baseUrl') ?? words,
    now: t('problem.bad-address.now'),
  }),
  'local-failed': ({ problem, words }) => ({
    severity: 'error',
    what: t('problem.local-failed'),
    why: words,
    now: problem.serviceCode === 'local.restorable' ? '' : t('problem.local-failed.now'),
  }),
  refused: () => ({
    severity: 'error',
    what: t('problem.refused'),
    why: null,
    now: t('problem.refused.now'),
  }),
  internal: () => ({
    severity: 'error',
    what: t('problem.internal'),
    why: null,
    now: t('problem.internal.now'),
  }),
}

/** The error of one input field, translated if known. */
export function saidAt(problem: ProblemData, field: string): string | null {
  const message = problem.fields?.[field]?.[0]
  if (message === problem.message) return said(problem)
  const text = problem.fieldTexts?.[field]
  return message === undefined ? null : said({ message, ...(text && { text }) })
}

/** The problem as text for a report. Problems never contain secrets. */
export function details(problem: ProblemData): string {
  const rows: [string, string | number | boolean | undefined][] = [
    ['code', problem.code],
    ['message', problem.message],
    ['serviceCode', problem.serviceCode],
    ['detail', problem.detail],
    ['unsure', problem.unsure],
    ['retryAfter', problem.retryAfter],
    ['logId', problem.logId],
    ['fields', problem.fields ? JSON.stringify(problem.fields) : undefined],
    ['time', new Date().toISOString()],
  ]
  return rows
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${String(value)}`]))
    .join('\n')
}
