import { median, percentile, type Figure } from './table.ts'

/** What each way took in one round, in ms. */
export type Round<W extends string> = Record<W, number>

/** Rounds that a figure is made of, and what has to be known of them. */
export interface Rounds<W extends string> {
  what: string
  rounds: Round<W>[]
  /** By how much the limits moved in these rounds: 0.4 is 40 %. */
  moved: number
}

/** The fewest rounds that a figure is made of. */
export const LEAST_ROUNDS = 7
/** A limit that moves by more than this says that the machine is busy with something else. */
export const RESTLESS = 0.4
/** How long a calm machine is waited for beyond the fewest rounds, in ms. */
const PATIENCE_MS = 60_000

/**
 * Runs every way once a round, in turn, after a round to warm up: limit, ours, limit, ours. What else the machine does
 * meets all of them alike, and a figure is made of what they took side by side. The newest rounds count; where their
 * limits move by more than 40 % there are more, until they are calm, a minute has passed, or there are `most`. `fewest`: for
 * what takes many seconds.
 */
export async function inTurns<W extends string>(
  what: string,
  ways: Record<W, () => Promise<number>>,
  limits: readonly NoInfer<W>[],
  options: { patienceMs?: number; fewest?: number; most?: number; now?: () => number } = {},
): Promise<Rounds<W>> {
  const { patienceMs = PATIENCE_MS, fewest = LEAST_ROUNDS, most = Infinity } = options
  const { now = () => performance.now() } = options
  const names = Object.keys(ways) as W[]
  const rounds: Round<W>[] = []
  let least: number | null = null
  for (let at = 0; ; at++) {
    const round = {} as Round<W>
    for (const name of names) round[name] = await ways[name]()
    const told = names.map((name) => `${name} ${shown(round[name])} ms`).join(', ')
    process.stderr.write(`  ${what}: ${told}${at === 0 ? ' (warm-up)' : ''}\n`)
    if (at === 0) continue
    rounds.push(round)
    if (rounds.length < fewest) continue
    least ??= now()
    const newest = rounds.slice(-fewest)
    const moved = Math.max(...limits.map((limit) => movementOf(newest.map((round) => round[limit]))))
    if (moved <= RESTLESS) return { what, rounds: newest, moved }
    if (now() - least > patienceMs || rounds.length >= most) return { what, rounds, moved }
    process.stderr.write(`  ${what}: the limit moves by ${percent(moved)}, so once more\n`)
  }
}

/**
 * By how much values move: the second highest over the second lowest of seven, so that a single slip is none.
 * 0 is not at all.
 */
export function movementOf(values: readonly number[]): number {
  return percentile(values, 85) / percentile(values, 15) - 1
}

/** The median of the rounds' ratios, with the least and the most of them. */
export function ratioOf<W extends string>(
  { rounds, moved }: Rounds<W>,
  ours: NoInfer<W>,
  limit: NoInfer<W>,
  { name, target, limitIs }: { name: string; target?: number; limitIs: string },
): Figure {
  const ratios = rounds.map((round) => round[ours] / round[limit])
  const middle = (way: W) => shown(median(rounds.map((round) => round[way])))
  return {
    name,
    value: median(ratios),
    unit: '×',
    range: [Math.min(...ratios), Math.max(...ratios)],
    ...(target === undefined ? {} : { target }),
    note:
      `${middle(ours)} ms; limit ${middle(limit)} ms: ${limitIs}; ${rounds.length} pairs` +
      (moved > RESTLESS ? `; RESTLESS: the limit moved by ${percent(moved)}` : ''),
  }
}

/** What a way took in the middle, in ms: for information. */
export const tookOf = <W extends string>({ rounds }: Rounds<W>, way: W): number =>
  median(rounds.map((round) => round[way]))

const shown = (ms: number) => ms.toFixed(ms < 100 ? 1 : 0)
const percent = (part: number) => `${(part * 100).toFixed(0)} %`
