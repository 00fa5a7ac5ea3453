import { AT_SERVER, BROKEN, NO_ROOM, NOT_NOW } from '../../contract/bridge/problem.ts'
import type { ProblemData } from './bridge.ts'
import { said, saidIn, t } from '../messages/t.svelte.ts'
import { offered } from './offered.ts'

/** How bad a problem is: `notice` passes by itself, `warning` wants a look, `error` wants something done. */
export type Severity = 'notice' | 'warning' | 'error'

/** A problem in words for people. */
export interface ProblemWords {
  severity: Severity
  /** What happened. */
  what: string
  /** Why, where the service or the panel can say it for people. */
  why: string | null
  /** The `lang` of the reason where a service wrote it, so that nobody knows its language. */
  whyIn?: ''
  /** What to do now; empty where the reason says it. */
  now: string
}

/** The words and the severity of every problem code. A code that is added and has no words does not compile. */
export function inWords(problem: ProblemData): ProblemWords {
  const words = wordsOf(problem)
  // What may have been done is not to be done again before somebody has looked.
  return problem.unsure ? { ...words, now: t('problem.unsure.now') } : words
}

/** The same of a read that a view began by itself: nobody has entered anything that could be corrected. */
export function inWordsOfRead(problem: ProblemData): ProblemWords {
  const words = inWords(problem)
  return problem.code === 'invalid' ? { ...words, now: t('problem.service-failed.now') } : words
}

/** A problem, its words as they came, and those of them that a service wrote for people. */
interface Given {
  problem: ProblemData
  words: string | null
  byService: string | null
}

function wordsOf(problem: ProblemData): ProblemWords {
  const words = said(problem).trim() || null
  // A message with the service's own code was written for people; without one it is meant for the log.
  const byService = problem.serviceCode === undefined ? null : words
  if (problem.serviceCode?.startsWith('computer.'))
    return { severity: 'error', what: t('problem.computer'), why: words, now: '' }
  const made = table[problem.code]({ problem, words, byService })
  return made.why !== null && made.why === words && saidIn(problem) === '' ? { ...made, whyIn: '' } : made
}

function failedWords({ problem, words, byService }: Given): ProblemWords {
  const severity = 'error'
  switch (problem.detail) {
    case NO_ROOM: {
      const now = saysHowToMakeRoom(problem) ? '' : t('problem.no-room.now')
      return { severity, what: t('problem.no-room'), why: byService, now }
    }
    case NOT_NOW: {
      // What our own service says of that is said here already.
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

const table: Record<ProblemData['code'], (given: Given) => ProblemWords> = {
  'signed-out': () => ({
    severity: 'warning',
    what: t('problem.signed-out'),
    why: null,
    now: t('problem.signed-out.now'),
  }),
  invalid: ({ problem, words }) => ({
    severity: 'error',
    what: t('problem.invalid'),
    why: words,
    now: saysWhichFile(problem) && words !== null ? '' : t('problem.invalid.now'),
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
  'too-large': ({ problem, byService }) => ({
    severity: 'error',
    what: t('problem.too-large'),
    why: byService,
    now: saysHowToMakeRoom(problem) ? '' : t('problem.too-large.now'),
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
    // What can be restored says by itself what to do.
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

/** Whether the reason is one of our own service's for a lack of room: those say how to make some. */
const saysHowToMakeRoom = (problem: ProblemData): boolean =>
  /^(files\.quota|(files|service)\.disk-full)$/.test(problem.serviceCode ?? '')

/** Whether the reason is one of our own service's for a file it cannot use: those say what to do with it. */
const saysWhichFile = (problem: ProblemData): boolean => problem.serviceCode === 'extensions.unreadable'

/** What is wrong at a field of what was sent, in the person's language where that is a sentence the panel knows. */
export function saidAt(problem: ProblemData, field: string): string | null {
  const message = problem.fields?.[field]?.[0]
  if (message === problem.message) return said(problem)
  const text = problem.fieldTexts?.[field]
  return message === undefined ? null : said({ message, ...(text && { text }) })
}

/** Everything known about a problem as text, for a report. It holds no secret, because a problem never does. */
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
