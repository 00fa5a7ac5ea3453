import type { ServerRef } from '../../../contract/bridge/values.ts'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { movingIn } from '../../core/moving-in.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { bytes, duration } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'
import { isEnded } from './transfers.svelte.ts'

export function stateWord(transfer: Transfer): string {
  if (transfer.state === 'failed' && transfer.filesDone > 0) return t('transfer.incomplete')
  return t(`transfer.${transfer.state}`)
}

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
  const name = panel.server(connectionId, serverId)?.name ?? movingIn.get(serverId)
  return name ?? t(movingIn.has(serverId) ? 'transfers.moving-in' : 'transfers.gone-server')
}

/** Input in seconds; at least one while something moves. */
export const timeLeft = (seconds: number) => duration(Math.max(1, Math.ceil(seconds)) * 1000)

/** False while the panel is unreachable, since nobody knows. */
export function isMoving({ state }: Transfer): boolean {
  return panel.reached && (state === 'running' || state === 'gathering')
}

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
