import { randomUUID } from 'node:crypto'
import { mkdir, readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { backupTargets as operations } from '../../../contract/areas/backup-targets.ts'
import { servers } from '../../../contract/areas/servers.ts'
import type { TargetCopies } from '../../backups/targets/target-copies.ts'
import type { BackupAtTarget } from '../../backups/targets/target.ts'
import type { Targets } from '../../backups/targets/targets.ts'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import { isoTime } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { type Caller, serve, type ServiceApp } from '../../http/serve.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import { PROXY_SECRET, withoutSecrets } from '../../software/without-secrets.ts'
import type { NewServer, ServerRow } from '../../store/servers.ts'
import type { Store } from '../../store/store.ts'

type NewServerWish = Pick<
  NewServer,
  'ownerId' | 'name' | 'softwareId' | 'softwareVersion' | 'memoryMb' | 'openTo'
> & { acceptsLicense: boolean }

export interface TargetRoutes {
  targets: Targets
  copies: TargetCopies
  /** For what is brought from a target, on the disk of the servers. */
  temporary: string
  store: Pick<Store, 'accounts' | 'servers'>
  records: Pick<InstalledRecords, 'replace'>
  runtime: Pick<Runtime, 'software' | 'find'>
  allowance: Pick<AccountAllowance, 'requireServer'>
  register: {
    bring(
      folder: string,
      wish: NewServerWish,
      at: { port: number | null; before: (serverId: string) => void },
    ): Promise<ServerRow>
  }
}

/** The built-in service's own account; accounts with an address are others' or a host's customers. */
export const ownsService = (
  store: Pick<Store, 'accounts'>,
  { accountId }: Pick<Caller, 'accountId'>,
): boolean => store.accounts.byId(accountId)?.email === null

export function mountTargets(app: ServiceApp, routes: TargetRoutes): void {
  const { targets, copies, store, runtime } = routes
  const requireOwner = (caller: Caller) => {
    if (!ownsService(store, caller)) throw refusal(403, 'backups.targets-owner')
  }

  serve(app, operations.targets, async ({ caller }) => {
    requireOwner(caller)
    const items = await Promise.all(targets.all().map((row) => targets.view(row)))
    return { items, nextCursor: null }
  })

  serve(app, operations.addTarget, async ({ caller, body, signal }) => {
    requireOwner(caller)
    const { row, password } = await targets.add(body, signal)
    return { target: await targets.view(row), password }
  })

  serve(app, operations.changeTarget, async ({ caller, params, body }) => {
    requireOwner(caller)
    return targets.view(await targets.change(params.targetId, body))
  })

  serve(app, operations.removeTarget, async ({ caller, params }) => {
    requireOwner(caller)
    await targets.remove(params.targetId)
  })

  serve(app, operations.checkTarget, async ({ caller, params, signal }) => {
    requireOwner(caller)
    const row = await targets.check(params.targetId, signal)
    if (row.error === null) copies.resume()
    return targets.view(row)
  })

  serve(app, operations.targetBackups, async ({ caller, params, signal }) => {
    requireOwner(caller)
    const found = await targets.within(params.targetId, (target) => target.backups(signal))
    const items = found.map(({ id, server, software, createdAt, bytes, files }) => ({
      ...{ id, serverId: server.id, serverName: server.name, createdAt: isoTime(createdAt), bytes, files },
      isHere: store.servers.byId(server.id) !== null,
      software: {
        ...{ id: software.id, version: software.version },
        name: runtime.software(software.id)?.name ?? null,
      },
    }))
    return { items, nextCursor: null }
  })

  serve(app, operations.bringBackFrom, async ({ caller, params, body, address, signal }) => {
    requireOwner(caller)
    const row = await bringFrom(routes, params.targetId, { ...body, ownerId: caller.accountId, signal })
    const write = { op: servers.create, serverId: row.id, by: caller, address, params: {}, query: undefined }
    const told = { body: { name: row.name }, answer: undefined, told: [], refused: null, below: false }
    app.wrote({ ...write, ...told })
    return { serverId: row.id }
  })
}

interface Wish {
  backup: string
  name?: string | undefined
  ownerId: string
  signal: AbortSignal
}

async function bringFrom(routes: TargetRoutes, targetId: string, wish: Wish): Promise<ServerRow> {
  const { targets, temporary, runtime, allowance, records, register } = routes
  return targets.within(targetId, async (target) => {
    const found = (await target.backups(wish.signal)).find(({ id }) => id === wish.backup)
    if (!found) throw refusal(404, 'backups.not-found').at('backup')
    const { server, software } = found
    const entry = runtime.software(software.id)
    if (!entry) throw refusal(409, 'backups.other-kind', { software: software.id })
    allowance.requireServer(wish.ownerId, server.memoryMb)
    await requireRoom(temporary, found)
    const folder = path.join(temporary, randomUUID())
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await target.extract(found.id, folder, { signal: wish.signal, progress: () => undefined })
      await withoutSecrets(folder)
      await removeTree(path.join(folder, PROXY_SECRET))
      await flushTree(folder)
      wish.signal.throwIfAborted()
      const row = {
        ...{ ownerId: wish.ownerId, name: wish.name ?? server.name, memoryMb: server.memoryMb, openTo: null },
        ...{
          softwareId: software.id,
          softwareVersion: software.version,
          acceptsLicense: server.acceptsLicense,
        },
      }
      const before = (id: string) => records.replace(id, software.installed)
      return await register.bring(folder, row, { port: null, before })
    } finally {
      await removeTree(folder)
    }
  })
}

async function requireRoom(folder: string, { bytes }: BackupAtTarget): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (bytes > free) throw refusal(507, 'backups.no-room', { needed: bytes, free })
}

/** What a killed service left. */
export async function sweepBrought(temporary: string): Promise<void> {
  for (const name of await readdir(temporary).catch(() => [])) await removeTree(path.join(temporary, name))
}
