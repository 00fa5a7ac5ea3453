import { api } from '../../../contract/areas/index.ts'
import type { AreaHandlers } from '../../bridge/handlers.ts'
import type { TransferManager } from '../../transfers/transfers.ts'
import type { WriteSender } from '../../views/writes.ts'

export interface BackupDependencies {
  writes: WriteSender
  transfers: Pick<TransferManager, 'saveHere' | 'download'>
}

export const backupCalls = ({ writes, transfers }: BackupDependencies): AreaHandlers<'backups'> => ({
  'backups.add-target': ({ connectionId, ...body }) =>
    writes.send(api.backupTargets.addTarget, { connectionId }, { body }),
  'backups.change-target': ({ connectionId, targetId, ...body }) =>
    writes.send(api.backupTargets.changeTarget, { connectionId }, { params: { targetId }, body }),
  'backups.save': (of) => transfers.download({ ...of, paths: [''] }),
  async 'backups.save-password'({ name, location, password }) {
    const file = `backup-password-${name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').slice(0, 60)}.txt`
    return { path: await transfers.saveHere(file, `${name}\n${location}\n\n${password}\n`) }
  },
})
