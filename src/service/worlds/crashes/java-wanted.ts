interface Majors {
  from: number
  to: number
}

/** Fabric's wording. */
const IN_WORDS =
  /version (\d+)[\d.]* or (later|earlier)|any version (after|before) (\d+)|any version between (\d+)\S* \((in|ex)clusive\) and (\d+)\S* \((in|ex)clusive\)|(?:any|version) (\d+)/g
/** Maven's and Quilt's notation. */
const IN_BRACKETS = /([[(])\s*(-∞|\d+)?[\d.]*\s*(,?)\s*(∞|\d+)?[\d.]*\s*([\])])/g

/** The major nearest to the installed one. @param demand the range it needs or breaks with */
export function javaWanted(demand: {
  kind: 'needs' | 'breaks'
  wanted: string
  present?: string | null | undefined
}): {
  needed?: number
  atMost?: number
  present?: number
} {
  const major = Number.parseInt(demand.present ?? '', 10)
  const present = Number.isNaN(major) ? undefined : major
  const said = majorsIn(demand.wanted)
  const allowed = demand.kind === 'needs' ? said : said.flatMap(without)
  return { ...(present !== undefined && { present }), ...nearest(allowed, present) }
}

function majorsIn(text: string): Majors[] {
  const words = [...text.matchAll(IN_WORDS)].map(
    ([, open, side, beyond, bound, from, fromEnd, to, toEnd, one]): Majors => {
      if (side === 'later') return { from: Number(open), to: Infinity }
      if (side === 'earlier') return { from: 0, to: Number(open) }
      if (beyond === 'after') return { from: Number(bound) + 1, to: Infinity }
      if (beyond === 'before') return { from: 0, to: Number(bound) - 1 }
      if (one !== undefined) return { from: Number(one), to: Number(one) }
      return { from: Number(from) + (fromEnd === 'ex' ? 1 : 0), to: Number(to) - (toEnd === 'ex' ? 1 : 0) }
    },
  )
  if (words.length > 0) return words
  return [...text.matchAll(IN_BRACKETS)].map(
    ([, open, from = '-∞', comma, to = comma ? '∞' : from, close]) => ({
      from: from === '-∞' ? 0 : Number(from) + (open === '(' ? 1 : 0),
      to: to === '∞' ? Infinity : Number(to) - (close === ')' ? 1 : 0),
    }),
  )
}

const without = ({ from, to }: Majors): Majors[] => [
  ...(from > 0 ? [{ from: 0, to: from - 1 }] : []),
  ...(to < Infinity ? [{ from: to + 1, to: Infinity }] : []),
]

function nearest(allowed: readonly Majors[], present = 0): { needed?: number; atMost?: number } {
  const newer = allowed.flatMap(({ from }) => (from > present ? [from] : []))
  if (newer.length > 0) return { needed: Math.min(...newer) }
  const older = allowed.flatMap(({ to }) => (to > 0 && to < Infinity ? [to] : []))
  return older.length > 0 ? { atMost: Math.max(...older) } : {}
}
