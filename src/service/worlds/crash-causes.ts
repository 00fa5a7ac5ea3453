import type { CrashCause, CrashFacts, CrashRule } from './crash-rule.ts'
import { CRASH_RULES } from './crash-rules.ts'
import { entryOf, type Entry } from './log-lines.ts'

/** Why a server crashed, as its own words tell. */
export interface ExplainedCrash {
  cause: CrashCause
  facts: CrashFacts
  /** The line that tells it, without colors; empty where the exit code alone does. */
  evidence: string
}

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
/** Characters of a line that are looked at, and that are kept. */
const LOOKED_AT = 2_000
const KEPT = 500
/** Characters of a report. */
const REPORT_MOST = 256 * 1024
/** 128 + 9: by somebody who does not ask, mostly the system itself when its memory is used up. */
const KILLED = 137

/** The most certain of the known causes; null where there is none. */
export function explainCrash({ lines, exitCode, report = '' }: CrashTraces): ExplainedCrash | null {
  const entries = [...lines.slice(-LINES_MOST), ...report.slice(0, REPORT_MOST).split('\n', LINES_MOST)].map(
    (line) => entryOf(line.slice(0, LOOKED_AT).trimEnd()),
  )
  const found = CRASH_RULES.map((rule) => ({ rule, told: tell(rule, entries) }))
  const sure = found.find(({ rule, told }) => told && !rule.isHarmless)?.told
  if (sure) return sure
  if (exitCode === KILLED) return { cause: 'out-of-memory', facts: { where: 'killed' }, evidence: '' }
  return found.find(({ told }) => told)?.told ?? null
}

function tell(rule: CrashRule, entries: readonly Entry[]): ExplainedCrash | null {
  for (const [at, { text, level }] of entries.entries()) {
    // Where a chat plugin leaves names out, what players write is not to be told from what the server says at that level.
    if (level !== null && (level === 'INFO') !== (rule.isInfo === true)) continue
    const match = rule.pattern.exec(text)
    const facts = match && (rule.facts ? rule.facts(match, entries, at) : {})
    if (facts) return { cause: rule.cause, facts, evidence: text.trim().slice(0, KEPT) }
  }
  return null
}
