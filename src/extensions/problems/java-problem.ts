import type { z } from 'zod'
import type { ExtensionProblem } from '../../contract/areas/values/extension-problem.ts'
import type { Facts } from '../jars/facts.ts'
import { isWithin } from './version-ranges.ts'

const LEAST = 8

export interface ServerJava {
  major: number
  /** Newest usable; null: no limit. */
  most: number | null
}

export const asksForJava = (facts: Facts | null): boolean =>
  facts !== null && ((facts.java ?? 0) > LEAST || namedIn(facts) !== undefined)

/** Null if it runs with the server's Java. */
export function javaProblem(
  facts: Facts,
  { major, most }: ServerJava,
): z.input<typeof ExtensionProblem> | null {
  const wants = wantedBy(facts, major)
  if (wants === null) return null
  return { kind: 'wrong-java', wants, has: String(major), ...(most !== null && { most: String(most) }) }
}

/** The required Java, if the server's does not suffice: a minimum version, or the range as written. */
function wantedBy(facts: Facts, has: number): string | null {
  const range = namedIn(facts)
  const isRefused = range !== undefined && !isWithin(String(has), range, facts.format)
  const [, above, from] = /^(?:>=(\d{1,3})(?:[-.][\w.-]*)?|\[(\d{1,3}), *\))$/.exec(range ?? '') ?? []
  const least = Number(above ?? from ?? 0)
  const made = facts.java ?? 0
  if (made > has) return String(isRefused ? Math.max(made, least) : made)
  if (!isRefused) return null
  return least > has ? String(least) : range
}

const namedIn = ({ needs }: Facts): string | undefined =>
  needs.find(({ id, kind }) => kind === 'required' && id.toLowerCase() === 'java')?.range ?? undefined
