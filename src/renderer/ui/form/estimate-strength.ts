import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Longer ones are estimated by their beginning: what it takes grows with the length, and these are strong anyway. */
const LONGEST = 64

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LONGEST })

/**
 * How hard a password is to guess, from 0 to 4, by words, patterns and passwords that are known from leaks.
 *
 * @param own words that anybody can guess who knows whose it is, such as a name
 */
export function estimateStrength(password: string, own: readonly string[]): number {
  return estimator.check(password.slice(0, LONGEST), [...own]).score
}
