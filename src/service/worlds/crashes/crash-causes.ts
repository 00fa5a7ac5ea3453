import type { ExplainedCrash } from './crash-rule.ts'
import { CRASH_RULES } from './crash-rules.ts'
import { entryOf } from '../logs/log-lines.ts'

/** What a crash left. */
export interface CrashTraces {
  /** The last lines of its console, of this run alone. */
  lines: readonly string[]
  /** 128 + n where signal n ended it. */
  exitCode: number | null
  /** The text of its crash report, where it wrote one in this run. */
  report?: string
}

/** Lines that are gone through, of the console from its end and of the report from its beginning. */
const LINES_MOST = 2_000
/** Characters of a line that are matched. */
const LOOKED_AT = 2_000
/** Characters of a report. */
const REPORT_MOST = 256 * 1024
/** 128 + 9: by somebody who does not ask, mostly the system itself when its memory is used up. */
const KILLED = 137

/** The most certain of the known causes; null where there is none. */
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
