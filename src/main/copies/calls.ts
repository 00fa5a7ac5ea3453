import { LOCAL_ID } from '../accounts/connection-records.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Ports } from '../base/ports.ts'
import { fileDialogs } from '../desktop/file-dialogs.ts'
import { PickedPaths } from '../transfers/intake/picked.ts'
import { safeName } from '../transfers/items/local-names.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import type { CopyPlans } from './copy-plans.ts'
import type { Copies } from './copies.ts'

export interface CopiesDependencies {
  ports: Pick<Ports, 'systemFiles'>
  copies: Copies
  copyPlans: CopyPlans
  transfers: Pick<TransferManager, 'upload'>
}

export function copiesHandlers({ ports, copies, copyPlans, transfers }: CopiesDependencies) {
  const { system, asking } = fileDialogs(ports)
  return {
    'copies.read': (server) => copies.state(server),
    'copies.change': ({ on, hour, keep, hostBackups, ...server }) =>
      copies.change(server, {
        ...(on !== undefined && { on }),
        ...(hour !== undefined && { hour }),
        ...(keep !== undefined && { keep }),
        ...(hostBackups !== undefined && { hostBackups }),
      }),
    async 'copies.choose-folder'(server) {
      const { folder } = await copies.state(server)
      const picked = await asking(({ pickFolder }) => pickFolder(folder.path))
      return picked === null ? await copies.state(server) : await copies.choose(server, picked)
    },
    'copies.usual-folder': (server) => copies.choose(server, null),
    'copies.begin': (server) => copies.begin(server),
    'copies.cancel': (server) => copies.cancel(server),
    async 'copies.reveal'({ id, ...server }) {
      system().reveal(await copies.pathOf(server, id))
    },
    'copies.remove': ({ id, ...server }) => copies.remove(server, id),
    async 'copies.send'({ id, importId, ...server }) {
      const file = await copies.pathOf(server, id)
      const { name } = await copyPlans.of(server)
      const to = { connectionId: LOCAL_ID, serverId: importId, folder: '' }
      const files = [{ path: safeName(name || 'server'), file }]
      return await transfers.upload(PickedPaths.parse({ to, files, folders: [] }))
    },
  } satisfies AreaHandlers<'copies'>
}
