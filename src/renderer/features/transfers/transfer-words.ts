import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { percent } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

export function isEnded({ state }: Transfer): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

export function transferName({ name, others }: Transfer): string {
  return others > 0 ? t('transfer.name-and-more', { name, count: others }) : name
}

/** From 0 to 1: by bytes, or by files if all are empty. */
export function progressOf({ bytes, bytesDone, files, filesDone, filesSkipped }: Transfer): number {
  if (bytes > 0) return Math.min(1, bytesDone / bytes)
  return files > 0 ? Math.min(1, (filesDone + filesSkipped) / files) : 0
}

/** 100 % only when complete. */
export function share(part: number): string {
  return percent(Math.floor(part * 100))
}
