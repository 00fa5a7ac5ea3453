import type { ExplainedCrash } from './crash-rule.ts'
import { CRASH_RULES } from './crash-rules.ts'
import { entryOf } from '../logs/log-lines.ts'

interface CrashTraces {
  lines: readonly string[]
  /** 128 + n for signal n. */
  exitCode: number | null
  report?: string
}

/** Matched lines: the last of the console, the first of the report. */
const LINES_MOST = 2_000
const LOOKED_AT = 2_000
const REPORT_MOST = 256 * 1024
/** SIGKILL (128 + 9): usually the system, out of memory. */
const KILLED = 137

export function explainCrash({ lines, exitCode, report = '' }: CrashTraces): ExplainedCrash | null {
  const entries = [...lines.slice(-LINES_MOST), ...report.slice(0, REPORT_MOST).split('\n', LINES_MOST)].map(
    (line) => entryOf(line.slice(0, LOOKED_AT).trimEnd()),
  )
  let harmless: ExplainedCrash | null = null
  for (const rule of CRASH_RULES) {
    const found: ExplainedCrash | null = harmless && rule.isHarmless ? null : rule.find(entries)
    if (found && !rule.isHarmless) return found
    harmless ??= found
  }
  if (exitCode === KILLED) return { cause: 'out-of-memory', facts: { where: 'killed' }, evidence: '' }
  return harmless
}
