import { statfs } from 'node:fs/promises'
import type { z } from 'zod'
import { type BackupSettings, backups as operations } from '../../../contract/areas/backups.ts'
import { ArchiveStore } from '../../backups/archive/archive-store.ts'
import { Backups } from '../../backups/backups.ts'
import { bringBackHere, goBack } from '../../backups/bring-back.ts'
import type { BackupPorts } from '../../backups/ports.ts'
import { ResticEngine } from '../../backups/restic/restic-engine.ts'
import { backupView, type BackupView } from '../../backups/view.ts'
import { refusal } from '../../base/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { mountBackupContents } from './contents.ts'
import { newServerFrom, type NewServerPorts } from './new-server.ts'

type BackupRoutes = Omit<BackupPorts, 'stores'> &
  Pick<NewServerPorts, 'allowance' | 'register'> &
  Omit<ConstructorParameters<typeof ResticEngine>[0], 'backupsOf'>

const PAGE = 200

const storesIn = (folders: BackupRoutes['folders'], restic: ResticEngine): BackupPorts['stores'] => ({
  archive: (serverId) => new ArchiveStore(folders.backupsOf(serverId)),
  get restic() {
    return restic.store
  },
})

/** `forget`: a server is deleted. */
export function mountBackups(
  app: ServiceApp,
  routes: BackupRoutes,
): { backups: Backups; forget: (serverId: string) => void } {
  const restic = new ResticEngine({ ...routes, backupsOf: (serverId) => routes.folders.backupsOf(serverId) })
  void restic.look()
  const ports: BackupPorts = { ...routes, stores: storesIn(routes.folders, restic) }
  const { runtime, changes } = ports
  const backups = new Backups(ports)
  const view = (serverId: string, id: string) =>
    backupView(backups.find(serverId, id), runtime, backups.works)
  const all = (serverId: string): BackupView[] =>
    backups
      .all(serverId)
      .map((row) => backupView(row, runtime, backups.works))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))

  serve(app, operations.list, ({ server, query }) => {
    const { cursor, limit = PAGE } = query
    const after = cursor === undefined ? null : fromCursor(cursor)
    const rest = all(server.id).filter((one) => after === null || keyOf(one) < after)
    const items = rest.slice(0, limit)
    const last = items.at(-1)
    return { items, nextCursor: rest.length > limit && last ? toCursor(keyOf(last)) : null }
  })

  serve(app, operations.create, ({ server, body }) => {
    const { row } = backups.begin(server.id, { cause: 'manual', name: body.name ?? null })
    return view(server.id, row.id)
  })

  mountBackupContents(app, backups)

  serve(app, operations.restore, async (given) => {
    const { server, body } = given
    if (body.to === 'new-server') return newServerFrom(backups, routes, given)
    const check = () => {
      given.checkAgain()
      // Only owners may undo their own reset.
      const copy = changes.copiesOf(server.id).find(({ id }) => id === body.backup)
      if (copy?.isOwners && given.held !== 'owner') throw refusal(403, 'software.owners-copy')
    }
    check()
    const { row } = backups.whole(server.id, body.backup)
    const isStep = row.engine === 'copy' && !row.locked && !body.paths && !body.players
    await (isStep ? goBack : bringBackHere)(backups, ports, server.id, body, check)
    return { accepted: true }
  })

  serve(app, operations.try, ({ server, body }) => {
    backups.beginTrial(server.id, body.backup, body.start ?? false)
    return { accepted: true }
  })

  serve(app, operations.cancel, ({ server }) => backups.works.cancel(server.id))

  mountSettings(app, backups, ports, restic)

  serve(app, operations.change, ({ server, params, body }) => {
    backups.change(server.id, params.backupId, withoutUnset(body))
    return view(server.id, params.backupId)
  })

  serve(app, operations.remove, ({ server, params }) => backups.remove(server.id, params.backupId))
  return { backups, forget: (serverId) => restic.forget(serverId) }
}

function mountSettings(app: ServiceApp, backups: Backups, ports: BackupPorts, restic: ResticEngine): void {
  const settings = async (serverId: string) => ({
    ...(await settingsOf(backups, ports, serverId)),
    resticReady: restic.isOffered,
  })
  serve(app, operations.readSettings, ({ server }) => settings(server.id))

  serve(app, operations.changeSettings, async ({ server, body, signal, checkAgain }) => {
    if (body.engine === 'restic') {
      await restic.require(signal)
      checkAgain()
    }
    backups.changeSettings(server.id, withoutUnset(body))
    return settings(server.id)
  })
}

async function settingsOf(
  backups: Backups,
  { files }: BackupPorts,
  serverId: string,
): Promise<z.input<typeof BackupSettings>> {
  const { engine, keep, exclude } = backups.settings(serverId)
  const sizes = backups.all(serverId).map(({ addedBytes }) => addedBytes)
  const { bavail, bsize } = await statfs(files.of(serverId).staging)
  const usedBytes = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  return { engine, keep, exclude, usedBytes, freeBytes: bavail * bsize }
}

/** Fields that weren't sent. */
const withoutUnset = <T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never

/** Sorts by time. */
const keyOf = ({ createdAt, id }: BackupView): string => `${String(createdAt)} ${id}`

const toCursor = (key: string): string => Buffer.from(`b${key}`).toString('base64url')

function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('b')) return text.slice(1)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
