import type { Entry } from '../logs/log-lines.ts'

export type CrashCause =
  | 'eula'
  | 'port-in-use'
  /** `world`: another program has it open. */
  | 'world-locked'
  | 'disk-full'
  /** `where`: `heap`, `metaspace`, `direct`, `threads`, `computer` (it has too little), `killed` (by the system), `container`. */
  | 'out-of-memory'
  /** `needed`, `present`, `atMost`: Java majors. `extension` or `count`: the mods that require it, if it isn't the server. */
  | 'wrong-java'
  /** `extension` or `count`, `wanted`, `present`: versions of Minecraft. */
  | 'wrong-minecraft'
  /** `extension` or `count`, `loader`: its name, `wanted`, `present`: its versions. */
  | 'wrong-loader'
  /** `extension` or `count`, `software`: the name of the software it is made for. */
  | 'wrong-software'
  /** `saved`, `present`: data versions of Minecraft. */
  | 'world-newer'
  /** `extension` or `count`, `missing` (one name, or several with commas), `version`. */
  | 'missing-dependency'
  /** `extension`, `other`, `wanted`, `present`. */
  | 'clashing-extensions'
  /** `extension`, `files`. */
  | 'duplicate-extension'
  /** `extension`: runs only in players' games, or needs `missing`, which does. */
  | 'wrong-side'
  | 'broken-extension'
  /** `extension`, `config`: it changes the game's code in a way that failed. */
  | 'mixin'
  /** `files`: jars in the trace of what ended the server, nearest first. Libraries can be among them. */
  | 'extension-error'
  | 'datapacks'
  | 'world-corrupt'
  | 'chunk-corrupt'

export type CrashFacts = Record<string, string | number>

export interface ExplainedCrash {
  cause: CrashCause
  facts: CrashFacts
  /** The log line that says so, without colors; empty if only the exit code does. */
  evidence: string
}

export interface CrashRule {
  find(entries: readonly Entry[]): ExplainedCrash | null
  /** The server may well have gone on. */
  isHarmless?: true
}

export interface LineRule {
  cause: CrashCause
  /** Anchored at the start of a message: chat follows a name. */
  pattern: RegExp
  facts?(match: RegExpExecArray, entries: readonly Entry[], at: number): CrashFacts | null
  isInfo?: true
  isHarmless?: true
}

const KEPT = 500

export const evidenceIn = (text: string): string => text.trim().slice(0, KEPT)

export const byLine = (rule: LineRule): CrashRule => ({
  find(entries) {
    for (const [at, { text, level }] of entries.entries()) {
      // Chat plugins can omit names, so at INFO chat could look like the server's own message.
      if (level !== null && (level === 'INFO') !== (rule.isInfo === true)) continue
      const match = rule.pattern.exec(text)
      const facts = match && (rule.facts ? rule.facts(match, entries, at) : {})
      if (facts) return { cause: rule.cause, facts, evidence: evidenceIn(text) }
    }
    return null
  },
  ...(rule.isHarmless && { isHarmless: true }),
})

/** Possible prefixes of an exception. */
export const THROWN = String.raw`^\s?(?:Caused by: |Exception: |Exception message: |Exception in thread "[^"]{1,100}" |Terminating due to )?`
export const NAME = String.raw`[\w.$-]{1,100}`
export const of = (...parts: string[]): RegExp => new RegExp(parts.join(''))
export const javaOf = (classVersion: string | undefined) => Number(classVersion) - 44

const NEAR = 40

export function above(
  entries: readonly Entry[],
  at: number,
  pattern: RegExp,
  near = NEAR,
): string | undefined {
  for (let i = at; i >= Math.max(0, at - near); i--) {
    const match = pattern.exec(entries[i]!.text)
    if (match) return match[1]
  }
  return undefined
}

export const known = (facts: Record<string, string | number | null | undefined>): CrashFacts =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number] => (fact[1] ?? null) !== null),
  )
