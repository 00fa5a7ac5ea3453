import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programFlags } from '../../build/scripts/project.js'
import { type Figure, median, type Outcome } from './table.ts'

const RUNS = 7
const script = join(import.meta.dirname, 'reader-run.ts')
const run = promisify(execFile)

/** What a strict answer costs to read tolerantly, beside what it costs the parser of its schema alone. */
export async function benchReader(): Promise<Outcome> {
  return {
    bench: 'reader',
    lost: 0,
    figures: [
      await compare('files', 'a strict list of 20,000 entries'),
      await compare('servers', 'a strict list of 2,000 servers'),
    ],
  }
}

/** Both ways in turns, each in a process of its own, by processor time: what else the machine does counts little. */
async function compare(what: 'files' | 'servers', name: string): Promise<Figure> {
  const took = { reader: [] as number[], parser: [] as number[] }
  for (let at = 0; at < RUNS; at++)
    for (const way of ['parser', 'reader'] as const) {
      const { stdout } = await run(process.execPath, [...programFlags, script, what, way])
      took[way].push(Number(stdout))
    }
  const shown = (way: 'reader' | 'parser') => took[way].map((ms) => ms.toFixed(1)).join(' ')
  process.stderr.write(`  ${name}: reader ${shown('reader')} ms, parser ${shown('parser')} ms\n`)
  return {
    name: `${name}, reader ÷ parser of its schema`,
    value: median(took.reader) / median(took.parser),
    unit: '×',
    target: 1.05,
    note: `ms of processor time: reader ${shown('reader')}; limit: the parser, ${shown('parser')}`,
  }
}
