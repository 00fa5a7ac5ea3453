/** Suffixes in order before the release. */
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

/** 1.9 < 1.10, 1.21 < 26.1; suffixes precede the release in the order above; non-numeric versions come first. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  if (!one || !other) return one ? 1 : other ? -1 : 0
  return (
    compareNumbers(one.numbers, other.numbers) ||
    one.stage - other.stage ||
    compareNumbers(one.within, other.within)
  )
}

const RELEASE = /^\d+(?:\.\d+)+/

/** Only if both start with numbers; snapshot names can't be compared. */
export const isOlderVersion = (version: string | null, than: string | null): boolean =>
  RELEASE.test(version ?? '') && RELEASE.test(than ?? '') && compareVersions(version ?? '', than ?? '') < 0
