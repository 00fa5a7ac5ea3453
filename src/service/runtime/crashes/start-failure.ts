import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'

export class StartFailure extends Error {
  override name = 'StartFailure'
  readonly crash: ExplainedCrash

  constructor(sentence: string, cause: ExplainedCrash['cause'], facts: ExplainedCrash['facts']) {
    super(sentence)
    this.crash = { cause, facts, evidence: '' }
  }
}
