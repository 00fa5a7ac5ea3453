import type { Outcome, Problem } from '../../contract/bridge/problem.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problemOf } from '../base/problem.ts'
import { DatabaseFileError } from '../storage/databases.ts'
import type { Log } from './log.ts'
import { randomInt } from 'node:crypto'

export type ProblemConverter = (error: unknown) => Problem

/** Unexpected errors are logged under the id the user sees. */
export const problemsWith =
  (log: Log): ProblemConverter =>
  (error) => {
    if (error instanceof PanelProblem) return error.problem
    const id = logId()
    log.error('something failed that should not', { error, logId: id })
    if (error instanceof DatabaseFileError)
      return problemOf('internal', localized('kept.damaged', { file: error.file }), {
        logId: id,
        serviceCode: 'computer.database',
      })
    return problemOf('internal', localized('panel.failed'), { logId: id })
  }

export async function outcomeOf<T>(work: () => Promise<T>, toProblem: ProblemConverter): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, problem: toProblem(error) }
  }
}

/** No look-alikes: people read these out on the phone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** 8 characters: about 8 × 10¹¹ ids. */
export function logId(): string {
  let id = ''
  for (let i = 0; i < 8; i++) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
