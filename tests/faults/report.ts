/** What came of one kind of fault. Paths in the lists. */
export interface Outcome {
  name: string
  /** Faults that struck. */
  tried: number
  lost: string[]
  doubled: string[]
  /** Seen under their final name while they were not whole. */
  half: string[]
  /** Sentences about whatever else is not as it should be. */
  wrong: string[]
  /** Sentences about what could not be tried here. */
  skipped: string[]
  /** Figures for people. */
  notes: string[]
  seconds: number
}

/** Whether everything was as it should be afterwards. */
export const isWhole = ({ lost, doubled, half, wrong }: Outcome): boolean =>
  [lost, doubled, half, wrong].every((list) => list.length === 0)

/** Paths of a kind that are shown; the rest is counted. */
const SHOWN = 8

/**
 * The table for people, and the last line for programs. A fault counts as survived where all was right at the end of its
 * case: which of 50 cuts cost a file, nobody can say.
 */
export function report(
  outcomes: readonly Outcome[],
  { seed, long }: { seed: number; long: boolean },
): { table: string; last: string; ok: boolean } {
  const survived = (one: Outcome) => (isWhole(one) ? one.tried : 0)
  const head = ['fault', 'tried', 'survived', 'lost', 'doubled', 'half', 'seconds']
  const rows = outcomes.map((one) => [
    one.name,
    ...[one.tried, survived(one), one.lost.length, one.doubled.length, one.half.length].map(String),
    one.seconds.toFixed(1),
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  const listed = (what: string, paths: string[]) =>
    paths.length === 0
      ? []
      : [
          `  ${what}: ${paths.slice(0, SHOWN).join(', ')}${paths.length > SHOWN ? `, and ${paths.length - SHOWN} more` : ''}`,
        ]
  const faulty = outcomes
    .filter((one) => !isWhole(one))
    .flatMap((one) => [
      '',
      `${one.name}: npm run faults -- ${one.name} --seed ${seed}${long ? ' --long' : ''}`,
      ...listed('lost', one.lost),
      ...listed('doubled', one.doubled),
      ...listed('half', one.half),
      ...[...new Set(one.wrong)].map((sentence) => `  ${sentence}`),
    ])
  const skipped = outcomes.flatMap((one) => one.skipped.map((why) => `Left out of ${one.name}: ${why}`))
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  return {
    table: [
      line(head),
      line(widths.map((width) => '─'.repeat(width))),
      ...rows.map(line),
      ...faulty,
      ...skipped,
    ]
      .join('\n')
      .trimEnd(),
    last: `${sum((one) => one.tried)} tried, ${sum(survived)} survived, lost: ${sum((one) => one.lost.length)}`,
    ok: outcomes.every(isWhole),
  }
}
