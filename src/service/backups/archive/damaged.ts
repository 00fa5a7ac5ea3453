import { refusal, type Refusal } from '../../base/refusal.ts'
import { shownName } from '../../../contract/rules/names.ts'

/** What was read back isn't what was written. */
export class ArchiveDamage extends Error {
  override name = 'ArchiveDamage'
}

const SHOWN_CHARS = 200

export const damaged = (): Refusal => refusal(409, 'backups.damaged')

export const damagedFile = (path: string): Refusal =>
  refusal(409, 'backups.damaged.file', { path: shownName(path).slice(0, SHOWN_CHARS) })

export const notInBackup = (path: string): Refusal =>
  refusal(404, 'backups.not-in-it', { path: shownName(path || '/').slice(0, SHOWN_CHARS) })
