import type { CrashCause, CrashFacts } from '../worlds/crash-rule.ts'
import { explainCrash, type ExplainedCrash } from '../worlds/crash-causes.ts'

/** Lines of a run that are kept for whoever asks why it ended. */
const MOST = 1000
/** Characters of a line that are kept. */
const LINE_MOST = 2000

/** What a program printed last, and why it may have ended. */
export class LastLines {
  #lines: string[] = []

  push(lines: readonly string[]): void {
    // Of a flood only the end is taken: what is thrown away at once is not copied.
    for (const line of lines.slice(-MOST)) this.#lines.push(line.slice(0, LINE_MOST))
    if (this.#lines.length > 2 * MOST) this.#lines = this.#lines.slice(-MOST)
  }

  /** Why the run has ended, where its lines tell; they are forgotten. */
  whyEnded(exitCode: number | null): ExplainedCrash | null {
    const lines = this.#lines.slice(-MOST)
    this.#lines = []
    return explainCrash({ lines, exitCode })
  }
}

/** A crash in words; where nobody knows why, whoever reads the lines may. */
export const whySentence = (crash: ExplainedCrash | null): string =>
  crash ? crashSentence(crash.cause, crash.facts) : 'The lines above may say why.'

const by = (facts: CrashFacts, name: string, otherwise: string): string => String(facts[name] ?? otherwise)

/** A known cause of a crash in words, with what can be done. */
export function crashSentence(cause: CrashCause, facts: CrashFacts): string {
  return words[cause](facts)
}

const words: Record<CrashCause, (facts: CrashFacts) => string> = {
  eula: () =>
    "The Minecraft EULA hasn't been accepted. If you agree to it, set eula=true in eula.txt, then start the server again.",
  'port-in-use': (facts) =>
    `${facts['port'] === undefined ? 'The port of this server' : `Port ${facts['port']}`} is in use by another program. Close that program, then start the server again.`,
  'world-locked': (facts) =>
    `${facts['world'] === undefined ? 'The world' : `The world ${facts['world']}`} is in use by another program. Close that program, then start the server again.`,
  'disk-full': () => 'The disk is full. Make room on it, then start the server again.',
  'out-of-memory': ({ where }) =>
    where === 'computer' || where === 'killed'
      ? 'This computer did not have enough memory. Close other programs, or give this server less memory.'
      : 'The server ran out of memory. Give it more memory, or remove some plugins or mods.',
  'wrong-java': (facts) => {
    const who = by(facts, 'extension', 'The server')
    const ran = facts['present'] === undefined ? 'another version' : `Java ${facts['present']}`
    if (facts['needed'] !== undefined) return `${who} needs Java ${facts['needed']}, but ran with ${ran}.`
    if (facts['atMost'] !== undefined)
      return `${who} needs Java ${facts['atMost']} or older, but ran with ${ran}.`
    return `${who} cannot run with the version of Java it was started with.`
  },
  'world-newer': () =>
    'The world was saved by a newer version of Minecraft, and this one cannot open it. Use that version, or another world.',
  'missing-dependency': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} needs ${by(facts, 'missing', 'another one')}, and that is not installed, or too old. Install what is missing, or remove what needs it.`,
  'clashing-extensions': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} conflicts with ${by(facts, 'other', 'another one')}. Change the version of one of them, or remove it.`,
  'duplicate-extension': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} is installed more than once. Remove all of its files but one.`,
  'wrong-side': (facts) =>
    `${by(facts, 'extension', 'A mod')} works only in players' games, not on a server. Remove it from the server.`,
  mixin: (facts) =>
    `${by(facts, 'extension', 'A mod')} does not work with this version or with another mod. Update or remove it.`,
  datapacks: () => 'A datapack could not be loaded. Remove the newest one, then start the server again.',
  'world-corrupt': () => 'The world is damaged. Replace it with a backup.',
  'chunk-corrupt': (facts) =>
    facts['x'] === undefined
      ? 'Part of the world is damaged. Replace the world with a backup.'
      : `The world is damaged at chunk ${facts['x']}, ${by(facts, 'z', '?')}. Replace the world with a backup.`,
}
