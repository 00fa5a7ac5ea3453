import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only a prefix is estimated: the cost grows with length, and longer passwords are strong anyway. */
const LONGEST = 64
/** What an attacker of such a service tries first, and common German words, which the dictionary has none of. */
const OBVIOUS =
  'minecraft server wheelhouse password passwort geheim hallo sommer winter fussball falsch'.split(' ')

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LONGEST })

/** From 0 to 4. `own`: what others know of the user, such as name and address; their parts count too. */
export function estimateStrength(password: string, own: readonly string[]): number {
  const known = [...own, ...OBVIOUS].flatMap((one) => [one, ...one.split(/[^\p{L}\p{N}]+/u)]).map(folded)
  const score = (text: string) => estimator.check(text, known).score
  const given = folded(password.slice(0, LONGEST))
  // The estimator takes spaces for hard to guess, and a word said again too.
  const joined = withoutRepeats(given)
  // A year and a mark around a word are tried with it: they are worth no more than one step.
  const bare = joined.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return Math.min(score(given), score(joined), bare === '' ? 4 : score(bare) + 1)
}

/** `ü` as `u` and `ß` as `ss`, as the dictionary has them. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

function withoutRepeats(text: string): string {
  const words = new Map(text.split(/[\s_-]+/).map((word) => [word.toLowerCase(), word]))
  return [...words.values()].join('')
}
