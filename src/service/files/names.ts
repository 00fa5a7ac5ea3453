import type { PartId } from '../../contract/messages/refusals/index.ts'
import { nameFault } from '../../contract/pure/names.ts'
import { nameInvalid, outside } from './refusals.ts'

const DRIVE = /^[a-z]:/i
const CONTROL = ['control', 'delete'] as const
/** Also what Windows alone does not take: a server's folder moves between machines. */
const NAMES = [
  'backslash',
  'ending',
  'device',
  ...(process.platform === 'win32' ? (['windows-character'] as const) : []),
  'unicode',
] as const

const reasons: Readonly<Record<(typeof CONTROL | typeof NAMES)[number] | 'long', PartId>> = {
  control: 'control-character',
  delete: 'control-character',
  backslash: 'backslash',
  ending: 'ending',
  device: 'device',
  'windows-character': 'windows-character',
  unicode: 'no-unicode',
  long: 'long-name',
}

/**
 * The parts of a contract path; none for the folder itself. Throws Refusal 422 `files.outside` for a path that begins
 * elsewhere or climbs, 422 `files.name-invalid` for a name that cannot be used.
 */
export function partsOf(path: string): string[] {
  if (path === '') return []
  const control = nameFault(path, CONTROL, Infinity)
  if (control) throw nameInvalid(path, reasons[control])
  if (path.startsWith('/') || path.startsWith('\\') || DRIVE.test(path)) throw outside(path)
  const parts = path.split('/')
  if (parts.some((part) => part === '..' || part.split('\\').includes('..'))) throw outside(path)
  for (const part of parts) checkName(part)
  return parts
}

/** Throws Refusal 422 `files.name-invalid` where a single name cannot be used. */
export function checkName(name: string): void {
  if (name === '' || name === '.') throw nameInvalid(name === '' ? '/' : name, 'empty-name')
  const control = nameFault(name, CONTROL, Infinity)
  if (control) throw nameInvalid(name, reasons[control])
  if (nameFault(name, ['up', 'slash'], Infinity)) throw outside(name)
  const fault = nameFault(name, NAMES)
  if (fault) throw nameInvalid(name, reasons[fault])
}
