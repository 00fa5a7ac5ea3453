import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { nameFault, type NameFault } from '../../../contract/rules/names.ts'
import { MOST_DEPTH } from '../../../contract/rules/paths.ts'
import { nameInvalid, outside, tooDeep } from './refusals.ts'
import { isCanonical } from './raw-names.ts'

const DRIVE = /^[a-z]:/i

const reasons = {
  empty: 'empty-name',
  here: 'empty-name',
  blank: 'blank-name',
  control: 'control-character',
  delete: 'control-character',
  backslash: 'backslash',
  ending: 'ending',
  device: 'device',
  'windows-character': 'windows-character',
  unicode: 'no-unicode',
  long: 'long-name',
} as const satisfies Partial<Record<NameFault | 'long', PartId>>
type Fault = Exclude<keyof typeof reasons, 'long'>

const NOWHERE: readonly Fault[] = ['empty', 'here', 'unicode']
const NOT_ON_WINDOWS: readonly Fault[] = [
  ...(['control', 'delete', 'backslash', 'ending', 'device', 'windows-character'] as const),
]
/** Valid on Linux and macOS, but nearly always a mistake. */
const NOT_NEW: readonly Fault[] = ['control', 'delete', 'backslash', 'blank']

/** Accepts all names the disk can have. Throws Refusal 422 `files.outside` or `files.name-invalid`. */
export function partsOf(path: string, platform = process.platform): string[] {
  if (path === '') return []
  if (path.includes('\0')) throw nameInvalid(path, reasons.control)
  if (path.startsWith('/')) throw outside(path)
  const parts = path.split('/')
  if (parts.includes('..')) throw outside(path)
  if (platform === 'win32' && (beginsElsewhere(path) || parts.some(climbs))) throw outside(path)
  for (const part of parts) {
    if (!isCanonical(part)) throw nameInvalid(part, reasons.unicode)
    refuse(part, platform === 'win32' ? [...NOWHERE, ...NOT_ON_WINDOWS] : NOWHERE, Infinity)
  }
  return parts
}

/** Also refuses likely mistakes and Windows paths. `atTop`: directly in the server's folder. */
export function requireNew(names: readonly string[], atTop: boolean, platform = process.platform): void {
  const path = names.join('/')
  if (names.some(climbs) || (atTop && beginsElsewhere(path))) throw outside(path)
  for (const name of names) refuse(name, platform === 'win32' ? [...NOT_ON_WINDOWS, ...NOT_NEW] : NOT_NEW)
}

/** `partsOf`, `requireNew` and `requireDepth` for a path to create. */
export function newPartsOf(path: string, platform = process.platform): string[] {
  const parts = partsOf(path, platform)
  requireNew(parts, true, platform)
  requireDepth(parts)
  return parts
}

/** Throws Refusal 422 `files.too-deep`. */
export function requireDepth(path: string | readonly string[]): void {
  const parts = typeof path === 'string' ? path.split('/', MOST_DEPTH + 1) : path
  if (parts.length > MOST_DEPTH) throw tooDeep(parts.join('/'))
}

const climbs = (part: string): boolean => part.split('\\').includes('..')

const beginsElsewhere = (path: string): boolean => path.startsWith('\\') || DRIVE.test(path)

function refuse(part: string, minded: readonly Fault[], most?: number): void {
  const fault = nameFault(part, minded, most)
  if (fault) throw nameInvalid(part === '' ? '/' : part, reasons[fault])
}
