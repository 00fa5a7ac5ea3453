import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only a prefix is estimated: the cost grows with length, and longer passwords are strong anyway. */
const LONGEST = 64
/** What an attacker of such a service tries first. */
const OBVIOUS = ['minecraft', 'server', 'wheelhouse', 'password', 'passwort']

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LONGEST })

/** From 0 to 4. `own`: what others know of the user, such as name and address; their parts count too. */
export function estimateStrength(password: string, own: readonly string[]): number {
  const given = password.slice(0, LONGEST)
  const known = [...own, ...OBVIOUS].flatMap((one) => [one, ...one.split(/[^\p{L}\p{N}]+/u)])
  // The estimator takes spaces for hard to guess, and a word said again too.
  const scores = [given, withoutRepeats(given)].map((text) => estimator.check(text, known).score)
  return Math.min(...scores)
}

function withoutRepeats(text: string): string {
  const words = new Map(text.split(/[\s_-]+/).map((word) => [word.toLowerCase(), word]))
  return [...words.values()].join('')
}
