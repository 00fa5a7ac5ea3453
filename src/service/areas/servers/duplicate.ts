import { mkdir } from 'node:fs/promises'
import { servers } from '../../../contract/areas/servers.ts'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import { changedMeanwhile } from '../../changes/change-words.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { canceled, refusing } from '../../files/names/refusals.ts'
import { copyTree, flushTree } from '../../files/safe-fs/copy-tree.ts'
import { openRoot } from '../../files/safe-fs/opened-folder.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { measureTree } from '../../files/safe-fs/walk.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { PROXY_SECRET, withoutSecrets } from '../../software/without-secrets.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type RequestContext, type ServiceApp } from '../../http/serve.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { z } from 'zod'
import type { Server } from '../../../contract/areas/servers.ts'
import type { ServerRegister } from './register.ts'

export interface DuplicateRoutes {
  runtime: Pick<Runtime, 'find' | 'requireDown'>
  allowance: Pick<AccountAllowance, 'requireServer'>
  /** Identifies the last completed change; if it differs, a copy may mix two states. */
  stateOf: (serverId: string) => string
  /** Records the server's current modpack for a copy. */
  copiedPack: (serverId: string) => (copyId: string) => void
  register: Pick<ServerRegister, 'adopt'>
  files: Pick<AllServerFiles, 'of'>
  view: (row: ServerRow, c: RequestContext) => z.input<typeof Server>
}

/** History. */
const LEFT_OUT = new Set(['logs', 'crash-reports', PROXY_SECRET])

export function mountDuplicate(
  app: ServiceApp,
  { runtime, register, allowance, stateOf, copiedPack, files, view }: DuplicateRoutes,
): void {
  serve(app, servers.duplicate, async ({ server, body, signal, checkAgain, c }) => {
    const since = requireResting(runtime, server.id)
    // Checked again at the end; this avoids a useless copy.
    allowance.requireServer(server.ownerId, server.memoryMb)
    const state = stateOf(server.id)
    const own = files.of(server.id)
    const temp = own.newTemp()
    try {
      await refusing('', () => copyServer(own, temp, signal))
      checkAgain()
      if (requireResting(runtime, server.id) !== since) throw ranMeanwhile()
      if (stateOf(server.id) !== state) throw changedMeanwhile()
      return view(await register.adopt(temp, server, body.name, copiedPack(server.id)), c)
    } finally {
      await removeTree(temp)
    }
  })
}

/** Returns the start of the rest. Throws 409 `server.running`. */
function requireResting(runtime: DuplicateRoutes['runtime'], serverId: string): unknown {
  runtime.requireDown(serverId, 'duplicate-it')
  return runtime.find(serverId).status().since
}

const ranMeanwhile = () => refusal(409, 'server.running.copied')

/** Throws 507 if the disk is too full. */
async function copyServer(files: ServerFiles, to: string, signal: AbortSignal): Promise<void> {
  using root = files.open('')
  const entries = await root.entries()
  const names = entries.flatMap(({ name, kind }) => (kind === 'other' || LEFT_OUT.has(name) ? [] : [name]))
  let bytes = 0
  for (const name of names) bytes += (await measureTree(root, name)).bytes
  // The new server's quota is as large as this one's.
  using reservation = await files.space.reserve(bytes, bytes)
  await mkdir(to, { mode: 0o700 })
  using target = openRoot(to)
  for (const name of names) {
    if (signal.aborted) throw canceled()
    await copyTree(files, { folder: root, name }, { folder: target, name }, signal, reservation)
  }
  await withoutSecrets(to)
  await flushTree(to)
}
