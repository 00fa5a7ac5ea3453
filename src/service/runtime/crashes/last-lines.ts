import { entryOf } from '../../worlds/logs/log-lines.ts'
import { explainCrash } from '../../worlds/crashes/crash-causes.ts'
import type { CrashCause, CrashFacts, ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'

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

export const whySentence = (crash: ExplainedCrash | null): string =>
  crash ? crashSentence(crash.cause, crash.facts) : 'The lines above may say why.'

const by = (facts: CrashFacts, name: string, otherwise: string): string => String(facts[name] ?? otherwise)

const mods = ({ extension, count }: CrashFacts, one: string, many: string): string =>
  count === undefined ? `${extension ?? 'A mod'} ${one}` : `${count} mods ${many}`

function crashSentence(cause: CrashCause, facts: CrashFacts): string {
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
    const isOfMod = facts['extension'] !== undefined || facts['count'] !== undefined
    const needs = isOfMod ? mods(facts, 'needs', 'need') : 'The server needs'
    const but = `but ${isOfMod ? 'the server ' : ''}ran with`
    const ran = facts['present'] === undefined ? 'another version' : `Java ${facts['present']}`
    if (facts['needed'] !== undefined) return `${needs} Java ${facts['needed']}, ${but} ${ran}.`
    if (facts['atMost'] !== undefined) return `${needs} Java ${facts['atMost']} or older, ${but} ${ran}.`
    return `${needs} another version of Java than the server was started with.`
  },
  'wrong-minecraft': (facts) =>
    `${mods(facts, 'is', 'are')} made for another version of Minecraft. Change the server to that version, or use mods that fit this one.`,
  'wrong-loader': (facts) =>
    `${mods(facts, 'needs', 'need')} another version of ${by(facts, 'loader', 'the mod loader')}. Change the server to another one, usually the newest.`,
  'wrong-software': (facts) =>
    `${mods(facts, 'is', 'are')} made for ${by(facts, 'software', 'other software')}, so this server cannot load that. Remove it, or install its edition for this server.`,
  'world-newer': () =>
    'The world was saved by a newer version of Minecraft, and this one cannot open it. Use that version, or another world.',
  'missing-dependency': (facts) =>
    `${mods({ extension: 'A plugin or mod', ...facts }, 'needs', 'need')} ${by(facts, 'missing', 'another one')}, and that is not installed, or in a version that does not fit. Install what is missing, or remove what needs it.`,
  'clashing-extensions': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} conflicts with ${by(facts, 'other', 'another one')}. Change the version of one of them, or remove it.`,
  'duplicate-extension': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} is installed more than once. Remove all of its files but one.`,
  'broken-extension': (facts) =>
    `${by(facts, 'extension', 'A plugin or mod')} describes itself wrongly, so the server cannot load it. Install another version of it, or remove it.`,
  'wrong-side': (facts) =>
    facts['missing'] !== undefined
      ? `${by(facts, 'extension', 'A mod')} needs ${facts['missing']}, which works only in players' games, not on a server. Remove both from the server.`
      : `${by(facts, 'extension', 'A mod')} works only in players' games, not on a server. Remove it from the server.`,
  mixin: (facts) =>
    `${by(facts, 'extension', 'A mod')} does not work with this version or with another mod. Update or remove it.`,
  'extension-error': ({ files }) =>
    `Its last error came from ${String(files).split(', ')[0]}. If that is a plugin or mod, turn it off.`,
  datapacks: () => 'A datapack could not be loaded. Remove the newest one, then start the server again.',
  'world-corrupt': () => 'The world is damaged. Replace it with a backup.',
  'chunk-corrupt': (facts) =>
    facts['x'] === undefined
      ? 'Part of the world is damaged. Replace the world with a backup.'
      : `The world is damaged at chunk ${facts['x']}, ${by(facts, 'z', '?')}. Replace the world with a backup.`,
}
