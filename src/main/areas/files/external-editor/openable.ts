import { nameFault } from '../../../../contract/rules/names.ts'
import { localized } from '../../../../contract/messages/localized-text.ts'
import { problem } from '../../../base/problem.ts'
import { TEXT_MOST_BYTES, textOf } from '../contents.ts'

/**
 * Extensions every system opens in an editor, and nothing it might execute. Excluded on purpose: files with
 * scripts (`.html`, `.svg`, `.xml`), formulas (`.csv`) or an interpreter on some system (`.js`, `.sh`).
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

/** Checked on every system: the file may be on a shared disk. */
const FAULTS = [
  ...(['empty', 'blank', 'here', 'up', 'slash', 'backslash', 'control', 'delete'] as const),
  ...(['ending', 'device', 'windows-character', 'unicode'] as const),
]
/** Leaves room for the suffixes of editors' backups. */
const NAME_MOST = 200

/** Direction marks and invisible characters, which disguise a name. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u

/** Content by which systems identify a file with an unknown extension. */
const MARKS = ['[desktop entry]', '<!doctype', '<html', '<?xml', '<svg', '<script', '%pdf-', '%!ps', '{\\rtf']
const MARKED_WITHIN = 1024

const notOpened = (name: string) =>
  problem(
    'invalid',
    localized('external-editor.not-opened', { name: name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�').slice(0, 80) }),
    {
      retryable: false,
    },
  )

/** Throws `invalid` if the system must not open a file of this name. */
export function checkName(name: string): void {
  const ending = /[^.]\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const isFine = nameFault(name, FAULTS, NAME_MOST) === null && !UNSEEN.test(name)
  // Windows loads folder settings from desktop.ini.
  if (!isFine || ending === undefined || !ENDINGS.has(ending) || /^desktop\.ini$/i.test(name))
    throw notOpened(name)
}

/** Throws `invalid` if not text, or if the system could take it for another type. */
export function checkContent(name: string, bytes: Buffer): void {
  if (bytes.length > TEXT_MOST_BYTES)
    throw problem('too-large', localized('external-editor.too-large', { name, most: TEXT_MOST_BYTES }), {
      retryable: false,
    })
  const begins = bytes.subarray(0, MARKED_WITHIN).toString('utf8').toLowerCase()
  if (textOf(bytes) === null || /^\ufeff?#!/.test(begins) || MARKS.some((mark) => begins.includes(mark)))
    throw notOpened(name)
}
