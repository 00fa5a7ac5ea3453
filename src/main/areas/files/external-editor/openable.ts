import { nameFault } from '../../../../contract/rules/names.ts'
import { say } from '../../../../contract/messages/say.ts'
import { problem } from '../../../base/problem.ts'
import { TEXT_MOST_BYTES, textOf } from '../text.ts'

/**
 * Endings that every system opens in an editor. A service names its files as it likes, and the system runs what it takes
 * for a program, a script or a shortcut: so nothing else is opened. Not among them, on purpose: pages and pictures with scripts
 * (`.html`, `.svg`, `.xml`), tables whose formulas run (`.csv`), and what an interpreter takes on some system (`.js`, `.sh`).
 */
const ENDINGS: ReadonlySet<string> = new Set([
  ...[
    'txt',
    'log',
    'md',
    'properties',
    'yml',
    'yaml',
    'json',
    'json5',
    'jsonc',
    'toml',
    'ini',
    'cfg',
    'conf',
    'config',
  ],
  ...['lang', 'mcmeta', 'mcfunction', 'snbt', 'sk', 'zs'],
])

/** Minded on every system: a file may lie on a disk that another one reads. */
const FAULTS = [
  ...(['empty', 'blank', 'here', 'up', 'slash', 'backslash', 'control', 'delete'] as const),
  ...(['ending', 'device', 'windows-character', 'unicode'] as const),
]
/** Leaves room for what editors add to the names of their copies. */
const NAME_MOST = 200

/** What makes a name look like another one: marks of direction, and characters that nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u

/** What systems tell the kind of a file by, whatever its name, where they do not know its ending. */
const MARKS = ['[desktop entry]', '<!doctype', '<html', '<?xml', '<svg', '<script', '%pdf-', '%!ps', '{\\rtf']
const MARKED_WITHIN = 1024

const notOpened = (name: string) =>
  problem(
    'invalid',
    say('handed.not-opened', { name: name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�').slice(0, 80) }),
    {
      retryable: false,
    },
  )

/** Throws `invalid` where a file of this name is not opened by the system. */
export function checkName(name: string): void {
  const ending = /[^.]\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const isFine = nameFault(name, FAULTS, NAME_MOST) === null && !UNSEEN.test(name)
  // Windows reads how a folder is to look, and with it what to load, from a file of this name.
  if (!isFine || ending === undefined || !ENDINGS.has(ending) || /^desktop\.ini$/i.test(name))
    throw notOpened(name)
}

/** Throws `invalid` where this is no text, or one that a system could take for something else by how it begins. */
export function checkContent(name: string, bytes: Buffer): void {
  if (bytes.length > TEXT_MOST_BYTES)
    throw problem('too-large', say('handed.too-large', { name, most: TEXT_MOST_BYTES }), { retryable: false })
  const begins = bytes.subarray(0, MARKED_WITHIN).toString('utf8').toLowerCase()
  if (textOf(bytes) === null || /^\ufeff?#!/.test(begins) || MARKS.some((mark) => begins.includes(mark)))
    throw notOpened(name)
}
