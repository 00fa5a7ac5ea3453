import { statfs } from 'node:fs/promises'
import type { z } from 'zod'
import { type BackupSettings, backups as operations } from '../../../contract/areas/backups.ts'
import { ArchiveStore } from '../../backups/archive/archive-store.ts'
import { Backups } from '../../backups/backups.ts'
import { bringBackHere } from '../../backups/bring-back.ts'
import type { BackupPorts } from '../../backups/ports.ts'
import { ResticEngine } from '../../backups/restic/restic-engine.ts'
import { backupView, type BackupView, copyView } from '../../backups/view.ts'
import { refusal } from '../../base/refusal.ts'
import { serve, type ServerInput, type ServiceApp } from '../../http/serve.ts'
import { mountBackupContents } from './contents.ts'
import { newServerFrom, type NewServerPorts } from './new-server.ts'

type BackupRoutes = Omit<BackupPorts, 'stores' | 'enginesKnown'> &
  Pick<NewServerPorts, 'allowance' | 'register'> &
  Omit<ConstructorParameters<typeof ResticEngine>[0], 'backupsOf'>

const PAGE = 200
const COPY = /^copy-/

const storesIn = (folders: BackupRoutes['folders'], restic: ResticEngine): BackupPorts['stores'] => ({
  archive: (serverId) => new ArchiveStore(folders.backupsOf(serverId)),
  get restic() {
    return restic.store
  },
})

/** `ready`: it is known which engines there are. `forget`: a server is deleted. */
export function mountBackups(
  app: ServiceApp,
  routes: BackupRoutes,
): { backups: Backups; ready: Promise<void>; forget: (serverId: string) => void } {
  const restic = new ResticEngine({ ...routes, backupsOf: (serverId) => routes.folders.backupsOf(serverId) })
  const ready = restic.look()
  const ports: BackupPorts = { ...routes, stores: storesIn(routes.folders, restic), enginesKnown: ready }
  const { runtime, changes } = ports
  const backups = new Backups(ports)
  const view = (serverId: string, id: string) =>
    backupView(backups.find(serverId, id), runtime, backups.works)
  const all = (serverId: string): BackupView[] =>
    [
      ...backups.of(serverId).map((row) => backupView(row, runtime, backups.works)),
      ...changes.copiesOf(serverId).map((copy) => copyView(copy, runtime)),
    ].sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))

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
    if (!COPY.test(body.backup)) {
      await bringBackHere(backups, ports, server.id, body, given.checkAgain)
      return { accepted: true }
    }
    if (body.paths || body.players) throw refusal(409, 'backups.only-whole').at('backup')
    await bringCopyBack(changes, given)
    if (body.start) await runtime.find(server.id).power('start')
    return { accepted: true }
  })

  serve(app, operations.try, ({ server, body }) => {
    if (COPY.test(body.backup)) throw refusal(409, 'backups.only-whole').at('backup')
    backups.beginTrial(server.id, body.backup, body.start ?? false)
    return { accepted: true }
  })

  serve(app, operations.cancel, ({ server }) => backups.works.cancel(server.id))

  mountSettings(app, backups, ports, restic)

  serve(app, operations.change, ({ server, params, body }) => {
    if (COPY.test(params.backupId)) throw refusal(409, 'backups.only-whole')
    backups.change(server.id, params.backupId, withoutUnset(body))
    return view(server.id, params.backupId)
  })

  serve(app, operations.remove, async ({ server, params: { backupId } }) => {
    if (!COPY.test(backupId)) return backups.remove(server.id, backupId)
    if (!changes.copiesOf(server.id).some(({ id }) => id === backupId))
      throw refusal(404, 'backups.not-found')
    await changes.forgetCopy(server.id, backupId)
  })
  return { backups, ready, forget: (serverId) => restic.forget(serverId) }
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

async function bringCopyBack(
  changes: BackupPorts['changes'],
  { server, held, body, checkAgain }: ServerInput & { body: { backup: string } },
): Promise<void> {
  const check = () => {
    checkAgain()
    const copy = changes.copiesOf(server.id).find(({ id }) => id === body.backup)
    if (!copy) throw refusal(404, 'backups.not-found')
    // Only owners may undo their own reset.
    if (copy.isOwners && held !== 'owner') throw refusal(403, 'software.owners-copy')
  }
  check()
  await changes.undo(server.id, check, body.backup)
}

async function settingsOf(
  backups: Backups,
  { changes, files }: BackupPorts,
  serverId: string,
): Promise<z.input<typeof BackupSettings>> {
  const { engine, keep, exclude } = backups.settings(serverId)
  const sizes = [
    ...backups.of(serverId).map(({ addedBytes }) => addedBytes),
    ...changes.copiesOf(serverId).map(({ bytes }) => bytes),
  ]
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
