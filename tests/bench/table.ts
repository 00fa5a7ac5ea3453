/** One measured figure, and what it is held against. */
export interface Figure {
  name: string
  /** What was measured. */
  value: number
  unit: 'ms' | 'µs' | 'kB' | 'MB' | 'lines' | 'files' | 'nodes' | '×' | 'lines/s' | '%'
  /** The least and the most of the runs, in the same unit. */
  range?: [least: number, most: number]
  /** The most the figure may be. Without one it is for information. */
  target?: number
  /** How it came about, such as the single runs. */
  note?: string
}

/** What one bench has measured. */
export interface Outcome {
  bench: string
  figures: Figure[]
  /** Lines, bytes or files that did not arrive, or not exactly once and in order. */
  lost: number
}

/** The middle of some values. */
export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The value that `share` per cent of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return NaN
  if (share === 50 && sorted.length % 2 === 0)
    return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2
  return sorted[Math.min(sorted.length - 1, Math.ceil((share / 100) * sorted.length) - 1)]!
}

/** Whether a figure reaches its target; null where it has none. */
export function reached(figure: Figure): boolean | null {
  return figure.target === undefined ? null : figure.value <= figure.target
}

/** The table for people, and the last line for programs. */
export function report(outcomes: readonly Outcome[]): { table: string; last: string; ok: boolean } {
  const figures = outcomes.flatMap((outcome) => outcome.figures)
  const lost = outcomes.reduce((sum, outcome) => sum + outcome.lost, 0)
  const head = ['figure', 'value', 'range', 'target', '', 'note']
  const rows = figures.map((figure) => [
    figure.name,
    amount(figure.value, figure.unit),
    figure.range ? `${bare(figure.range[0], figure.unit)}–${amount(figure.range[1], figure.unit)}` : '',
    figure.target === undefined ? '' : `≤ ${amount(figure.target, figure.unit)}`,
    { true: 'reached', false: 'MISSED', null: '' }[String(reached(figure)) as 'true'],
    figure.note ?? '',
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => (at === 0 || at === 5 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd()
  const targets = figures.filter((figure) => figure.target !== undefined)
  const met = targets.filter((figure) => reached(figure)).length
  return {
    table: [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n'),
    last: `${targets.length} targets, ${met} reached, lost: ${lost}`,
    ok: met === targets.length && lost === 0,
  }
}

function amount(value: number, unit: Figure['unit']): string {
  return unit === '×' ? `${bare(value, unit)}×` : `${bare(value, unit)} ${unit}`
}

/** Counts of what there is no half of. */
const WHOLE = new Set<Figure['unit']>(['lines', 'files', 'nodes'])

function bare(value: number, unit: Figure['unit']): string {
  if (unit === '×') return value.toFixed(2)
  return value.toFixed(value < 100 && !WHOLE.has(unit) ? 1 : 0)
}
