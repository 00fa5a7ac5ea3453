import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only a prefix is estimated: the cost grows with length, and longer passwords are strong anyway. */
const LONGEST = 64

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LONGEST })

/** From 0 to 4. `own`: words others can guess, such as the user's name. */
export function estimateStrength(password: string, own: readonly string[]): number {
  return estimator.check(password.slice(0, LONGEST), [...own]).score
}
