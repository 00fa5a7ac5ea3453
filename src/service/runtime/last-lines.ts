import type { CrashCause, CrashFacts } from '../worlds/crash-rule.ts'
import { explainCrash } from '../worlds/crash-causes.ts'

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

  /** Says why the run has ended, and forgets its lines. */
  whyEnded(exitCode: number | null): string {
    const lines = this.#lines.slice(-MOST)
    this.#lines = []
    const crash = explainCrash({ lines, exitCode })
    return crash ? crashSentence(crash.cause, crash.facts) : 'The lines above may say why.'
  }
}

const by = (facts: CrashFacts, name: string, otherwise: string): string => String(facts[name] ?? otherwise)

/** A known cause of a crash in words, with what can be done. */
export function crashSentence(cause: CrashCause, facts: CrashFacts): string {
  return words[cause](facts)
}

const words: Record<CrashCause, (facts: CrashFacts) => string> = {
  eula: () =>
    'The Minecraft EULA is not accepted: set eula=true in eula.txt if you agree to it, then start it again.',
  'port-in-use': (facts) =>
    `Port ${by(facts, 'port', 'of this server')} is in use by another program. End that one, or choose another port.`,
  'world-locked': (facts) =>
    `${facts['world'] === undefined ? 'The world' : `The world ${facts['world']}`} is in use by another program. End that one, then start the server again.`,
  'disk-full': () => 'The disk is full. Make room on it, then start the server again.',
  'out-of-memory': ({ where }) =>
    where === 'computer' || where === 'killed'
      ? 'This computer did not have enough memory. End other programs, or give this server less.'
      : 'The server ran out of memory. Give it more, or remove some plugins or mods.',
  'wrong-java': (facts) => {
    const who = by(facts, 'extension', 'The server')
    const ran = facts['present'] === undefined ? 'another one' : `Java ${facts['present']}`
    if (facts['needed'] !== undefined) return `${who} needs Java ${facts['needed']}, and ran with ${ran}.`
    if (facts['atMost'] !== undefined)
      return `${who} takes Java ${facts['atMost']} at most, and ran with ${ran}.`
    return `${who} cannot run with the Java it was started with. Choose another version of Java.`
  },
  'world-newer': () =>
    'The world was saved by a newer version of Minecraft, and cannot go back. Use that version, or another world.',
  'missing-dependency': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} needs ${by(facts, 'missing', 'another one')}, which is not installed. Install it, or remove what needs it.`,
  'clashing-extensions': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} does not go together with ${by(facts, 'other', 'another one')}. Change the version of one of them, or remove it.`,
  'duplicate-extension': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} is there more than once. Remove all files of it but one.`,
  'wrong-side': (facts) =>
    `${by(facts, 'extension', 'A mod')} is for players only. Remove it from the server.`,
  mixin: (facts) =>
    `${by(facts, 'extension', 'A mod')} does not fit this version or another mod. Update it, or remove it.`,
  datapacks: () => 'A data pack could not be loaded. Remove the newest one, then start the server again.',
  'world-corrupt': () => 'The world is damaged. Put a copy of it in its place.',
  'chunk-corrupt': (facts) =>
    facts['x'] === undefined
      ? 'A part of the world is damaged. Put a copy of the world in its place.'
      : `The world is damaged at chunk ${facts['x']}, ${by(facts, 'z', '?')}. Put a copy of the world in its place.`,
}
