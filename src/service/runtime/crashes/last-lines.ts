import { entryOf } from '../../worlds/logs/log-lines.ts'
import { explainCrash } from '../../worlds/crashes/crash-causes.ts'
import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'
import { crashTitle } from '../../../contract/rules/crash-title.ts'
import { inWords, type RefusalText } from '../../../contract/messages/refusals/index.ts'

const MOST = 1000
const LINE_MOST = 2000
/** Error lines to show, and their length in characters. */
const ERRORS_MOST = 4
const ERROR_MOST = 300

export class LastLines {
  #lines: string[] = []

  push(lines: readonly string[]): void {
    // Copy only the end of a flood.
    for (const line of lines.slice(-MOST)) this.#lines.push(line.slice(0, LINE_MOST))
    if (this.#lines.length > 2 * MOST) this.#lines = this.#lines.slice(-MOST)
  }

  /** The last error with its trace; else the last error, or the last lines. */
  errors(): string[] {
    const entries = this.#lines.slice(-MOST).map(entryOf)
    const isError = ({ level }: { level: string | null }) => level === 'ERROR' || level === 'FATAL'
    const traced = entries.findLastIndex((one, at) => isError(one) && entries[at + 1]?.level === null)
    const last = traced === -1 ? entries.findLastIndex(isError) : traced
    const after = entries.findIndex(({ level }, at) => at > last && level !== null)
    const all =
      last === -1 ? entries.slice(-ERRORS_MOST) : entries.slice(last, after === -1 ? undefined : after)
    return (
      all
        .map(({ text }) => text.trimEnd().slice(0, ERROR_MOST))
        // It says where on the service's computer a report is.
        .filter((text) => text !== '' && !text.startsWith('This crash report has been saved to'))
        .slice(0, ERRORS_MOST)
    )
  }

  /** Explains the crash, if possible, and forgets the lines. */
  whyEnded(exitCode: number | null): ExplainedCrash | null {
    const lines = this.#lines.slice(-MOST)
    this.#lines = []
    return explainCrash({ lines, exitCode })
  }
}

export function titleOf(crash: ExplainedCrash | null): RefusalText | null {
  if (!crash) return null
  const jar = crash.cause === 'extension-error' ? String(crash.facts['files']).split(', ')[0] : undefined
  const title = crashTitle(crash.cause, crash.facts, jar?.replace(/\.jar$/, ''))
  return title && inWords(title)
}
