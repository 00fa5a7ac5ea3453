import type { Channel } from '../catalogue.ts'

/** How near a suffix is to the release; none is the release. */
const STAGES = ['alpha', 'beta', 'snapshot', 'pre', 'rc']

interface Parts {
  numbers: number[]
  stage: number
  within: number[]
}

function partsOf(id: string): Parts | null {
  const match = /^(\d+(?:\.\d+)*)(.*)$/.exec(id)
  if (!match) return null
  const suffix = match[2]!.toLowerCase()
  const stage = STAGES.findIndex((name) => suffix.includes(name))
  return {
    numbers: match[1]!.split('.').map(Number),
    stage: suffix === '' ? STAGES.length : stage,
    within: suffix.match(/\d+/g)?.map(Number) ?? [],
  }
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Compares two versions: numbers as numbers (1.9 before 1.10, 1.21 before 26.1), and alpha, beta, snapshot, pre-release
 * and release candidate in this order before the release. What does not begin with a number comes before all others.
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  if (!one || !other) return one ? 1 : other ? -1 : 0
  return (
    compareNumbers(one.numbers, other.numbers) ||
    one.stage - other.stage ||
    compareNumbers(one.within, other.within)
  )
}

/** For lists, newest first. */
export const newestFirst = (a: { id: string }, b: { id: string }): number => compareVersions(b.id, a.id)

/** What the name of a version of Minecraft says: releases are numbers and dots, whatever they begin with. */
export const channelOf = (id: string): Channel => (/^\d+(\.\d+)+$/.test(id) ? 'release' : 'snapshot')
