import type { ServerRef } from '../../../contract/bridge/values.ts'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { movingIn } from '../../core/moving-in.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { bytes, duration, percent } from '../../messages/format.ts'
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

/** The state in one word; a failed one of which most arrived says so. */
export function stateWord(transfer: Transfer): string {
  if (transfer.state === 'failed' && transfer.filesDone > 0) return t('transfer.incomplete')
  return t(`transfer.${transfer.state}`)
}

/** Where it goes, and where it comes from where that is not this computer. */
export function directionWords(transfer: Transfer): string {
  const server = serverName(transfer.server)
  const { folder } = transfer
  switch (transfer.kind) {
    case 'upload':
      return folder === ''
        ? t('transfers.to-server', { server })
        : t('transfers.to-server-folder', { server, folder })
    case 'download':
      return t('transfers.to-computer', { server, folder })
    case 'copy':
      return t('transfers.between', {
        from: transfer.from ? serverName(transfer.from) : t('transfers.gone-server'),
        to: folder === '' ? server : `${server} / ${folder}`,
      })
  }
}

function serverName({ connectionId, serverId }: ServerRef): string {
  const name = panel.server(connectionId, serverId)?.name
  return name ?? t(movingIn.has(serverId) ? 'transfers.moving-in' : 'transfers.gone-server')
}

/** Seconds that are left, in words: never none while something moves. */
export const timeLeft = (seconds: number) => duration(Math.max(1, Math.ceil(seconds)) * 1000)

/** Whether something of it moves now; nobody knows while the panel cannot be reached. */
export function isMoving({ state }: Transfer): boolean {
  return panel.reached && (state === 'running' || state === 'gathering')
}

/** Bytes and files that arrived, how fast, and how long it still takes: only what is known. */
export function progressWords(transfer: Transfer): string[] {
  const { files, filesDone, filesFailed, filesSkipped, rate, secondsLeft } = transfer
  const moves = isMoving(transfer)
  const ended = isEnded(transfer)
  const whole = ended && transfer.bytesDone >= transfer.bytes && filesFailed + filesSkipped === 0
  return [
    whole
      ? bytes(transfer.bytes)
      : t('transfer.of-bytes', { done: bytes(transfer.bytesDone), all: bytes(transfer.bytes) }),
    files === 1
      ? null
      : whole
        ? t('transfer.files', { count: files })
        : t('transfer.of-files', { done: filesDone, count: files }),
    filesSkipped > 0 ? t('transfer.files-skipped', { count: filesSkipped }) : null,
    moves && rate !== null ? t('transfer.rate', { rate: bytes(rate) }) : null,
    moves && secondsLeft !== null ? t('transfer.left', { time: timeLeft(secondsLeft) }) : null,
  ].filter((words) => words !== null)
}
