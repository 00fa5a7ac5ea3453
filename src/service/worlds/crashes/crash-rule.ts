import type { Entry } from '../logs/log-lines.ts'

/** Why a server can have crashed, as far as it can be told. */
export type CrashCause =
  /** The EULA was not agreed to. */
  | 'eula'
  /** `port` */
  | 'port-in-use'
  /** `world`: another program has it open. */
  | 'world-locked'
  | 'disk-full'
  /** `where`: `heap`, `metaspace`, `direct`, `threads`, `computer` (it has too little), `killed` (by the system). */
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
  /** `extension`: its description is invalid. */
  | 'broken-extension'
  /** `extension`, `config`: it changes the game's code in a way that failed. */
  | 'mixin'
  | 'datapacks'
  | 'world-corrupt'
  /** `x`, `z` */
  | 'chunk-corrupt'

/** Names, versions, ports. */
export type CrashFacts = Record<string, string | number>

/** Why a server crashed, according to its log. */
export interface ExplainedCrash {
  cause: CrashCause
  facts: CrashFacts
  /** The log line that says so, without colors; empty if only the exit code does. */
  evidence: string
}

/** Finds a cause in a server's log. */
export interface CrashRule {
  find(entries: readonly Entry[]): ExplainedCrash | null
  /** The server may well have gone on. */
  isHarmless?: true
}

/** A rule that matches a single line. */
export interface LineRule {
  cause: CrashCause
  /** Matches from the beginning of what is said: what players write stands behind a name. */
  pattern: RegExp
  facts?(match: RegExpExecArray, entries: readonly Entry[], at: number): CrashFacts | null
  /** Said at level INFO, as chat is too. */
  isInfo?: true
  isHarmless?: true
}

/** Most characters of evidence. */
const KEPT = 500

export const evidenceIn = (text: string): string => text.trim().slice(0, KEPT)

/** A crash rule that uses the first matching line. */
export const byLine = (rule: LineRule): CrashRule => ({
  find(entries) {
    for (const [at, { text, level }] of entries.entries()) {
      // Where a chat plugin leaves names out, what players write is not to be told from what the server says at that level.
      if (level !== null && (level === 'INFO') !== (rule.isInfo === true)) continue
      const match = rule.pattern.exec(text)
      const facts = match && (rule.facts ? rule.facts(match, entries, at) : {})
      if (facts) return { cause: rule.cause, facts, evidence: evidenceIn(text) }
    }
    return null
  },
  ...(rule.isHarmless && { isHarmless: true }),
})

/** What may stand before an exception. */
export const THROWN = String.raw`^\s?(?:Caused by: |Exception: |Exception message: |Exception in thread "[^"]{1,100}" |Terminating due to )?`
/** Of an extension, as its own file has it. */
export const NAME = String.raw`[\w.$-]{1,100}`
/** A pattern of parts. */
export const of = (...parts: string[]): RegExp => new RegExp(parts.join(''))
/** The major of Java that wrote class files of this version. */
export const javaOf = (classVersion: string | undefined) => Number(classVersion) - 44

/** How far around a line its circumstances are looked for. */
const NEAR = 40

/** The first group of what matches nearest above. */
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

/** Without what could not be told. */
export const known = (facts: Record<string, string | number | null | undefined>): CrashFacts =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number] => (fact[1] ?? null) !== null),
  )
