import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import type { backups as operations } from '../../../contract/areas/backups.ts'
import type { Backups } from '../../backups/backups.ts'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import { refusal } from '../../../host/refusal.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { ServerInput } from '../../http/serve.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import type { ServerRow } from '../../store/servers.ts'
import { PROXY_SECRET, withoutSecrets } from '../../software/without-secrets.ts'

export interface NewServerPorts {
  files: Pick<AllServerFiles, 'of'>
  records: Pick<InstalledRecords, 'replace'>
  runtime: Pick<Runtime, 'find'>
  allowance: Pick<AccountAllowance, 'requireServer'>
  register: {
    adopt(folder: string, from: ServerRow, name: string, note: (serverId: string) => void): Promise<ServerRow>
  }
}

type NewServerRequest = ServerInput & { body: z.output<typeof operations.restore.body>; signal: AbortSignal }

/** With the settings of the server it is of, on a port of its own, and without its secrets. */
export async function newServerFrom(
  backups: Backups,
  { files, records, runtime, allowance, register }: NewServerPorts,
  { server, held, body, checkAgain, signal }: NewServerRequest,
): Promise<{ accepted: true; serverId: string }> {
  if (held !== 'owner') throw refusal(403, 'backups.owners')
  if (body.paths || body.players) throw refusal(422, 'backups.one-wish').at('to')
  const { row, store } = backups.whole(server.id, body.backup)
  // Checked again at the end; this avoids useless work.
  allowance.requireServer(server.ownerId, server.memoryMb)
  const own = files.of(server.id)
  const temp = own.newTemp()
  const bytes = row.bytes ?? 0
  try {
    const made = await backups.works.run(
      server.id,
      { kind: 'restore', backupId: row.id },
      async (work) => {
        // The new server's quota is as large as this one's.
        using reservation = await own.space.reserve(bytes, bytes)
        await mkdir(temp, { mode: 0o700 })
        let last = 0
        await store.extract(row.id, null, temp, {
          signal: work.signal,
          progress(done) {
            reservation.wrote(done - last)
            work.progress((last = done), row.bytes)
          },
        })
        await withoutSecrets(temp)
        await removeTree(path.join(temp, PROXY_SECRET))
        await flushTree(temp)
        work.signal.throwIfAborted()
        checkAgain()
        const { id: softwareId, version: softwareVersion } = row.software ?? {
          id: server.softwareId,
          version: server.softwareVersion,
        }
        const name = body.name ?? server.name
        return register.adopt(temp, { ...server, softwareId, softwareVersion }, name, () => undefined)
      },
      signal,
    )
    // Until then, it would be installed anew.
    if (row.software) records.replace(made.id, row.software.installed)
    if (body.start) await runtime.find(made.id).power('start')
    return { accepted: true, serverId: made.id }
  } finally {
    await removeTree(temp)
  }
}
