import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'
import type { RefusalText } from '../../../contract/messages/refusals/index.ts'

export class StartFailure extends Error {
  override name = 'StartFailure'
  readonly told: RefusalText
  readonly crash: ExplainedCrash

  constructor(told: RefusalText, cause: ExplainedCrash['cause'], facts: ExplainedCrash['facts']) {
    super(told.message)
    this.told = told
    this.crash = { cause, facts, evidence: '' }
  }
}
