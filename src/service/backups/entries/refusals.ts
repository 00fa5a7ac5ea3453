import { shownName } from '../../../contract/rules/names.ts'
import { refusal, type Refusal } from '../../base/refusal.ts'

const SHOWN_CHARS = 200

const shown = (path: string): string => shownName(path || '/').slice(0, SHOWN_CHARS)

export const notInBackup = (path: string): Refusal => refusal(404, 'backups.not-in-it', { path: shown(path) })
export const damaged = (): Refusal => refusal(409, 'backups.damaged')
export const damagedFile = (path: string): Refusal =>
  refusal(409, 'backups.damaged.file', { path: shown(path) })
