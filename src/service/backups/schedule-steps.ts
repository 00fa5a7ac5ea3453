import { Refusal, refusal } from '../base/refusal.ts'
import type { BackupSteps } from '../schedules/ports.ts'
import type { Backups } from './backups.ts'

/** What rules do with backups. */
export const backupSteps = (backups: Backups): BackupSteps => ({
  async backUp(serverId, signal) {
    await backups.backUp(serverId, { cause: 'schedule' }, signal)
  },
  async tryNewest(serverId, signal) {
    const { tried } = await backups.tryNewest(serverId, true, signal)
    if (tried?.result === 'sound' || tried?.result === 'started') return
    throw tried?.error ? Refusal.again(409, tried.error) : refusal(500, 'backups.unexpected')
  },
})
