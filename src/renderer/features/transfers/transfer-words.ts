import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { percent } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** Whether nothing of it will move any more by itself. */
export function isEnded({ state }: Transfer): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

/** What people call it: the file or folder that was picked, or the first of several and how many more. */
export function transferName({ name, others }: Transfer): string {
  return others > 0 ? t('transfer.name-and-more', { name, count: others }) : name
}

/** How much of it is done, between 0 and 1: by bytes, or by files where all of them are empty. */
export function progressOf({ bytes, bytesDone, files, filesDone, filesSkipped }: Transfer): number {
  if (bytes > 0) return Math.min(1, bytesDone / bytes)
  return files > 0 ? Math.min(1, (filesDone + filesSkipped) / files) : 0
}

/** A part of the whole as people write it; it is 100 % only when all is there. */
export function share(part: number): string {
  return percent(Math.floor(part * 100))
}
