import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { type BackupSettings, backups as operations } from '../../../contract/areas/backups.ts'
import { ArchiveStore } from '../../backups/archive/archive-store.ts'
import { Backups } from '../../backups/backups.ts'
import { bringBackHere, goBack } from '../../backups/bring-back.ts'
import type { BackupPorts } from '../../backups/ports.ts'
import { ResticEngine } from '../../backups/restic/restic-engine.ts'
import { TargetCopies } from '../../backups/targets/target-copies.ts'
import { Targets } from '../../backups/targets/targets.ts'
import { backupView, type BackupView } from '../../backups/view.ts'
import { refusal } from '../../../host/refusal.ts'
import { type Caller, serve, type ServiceApp } from '../../http/serve.ts'
import type { BackupRow } from '../../store/backups.ts'
import type { Store } from '../../store/store.ts'
import { mountBackupContents } from './contents.ts'
import { newServerFrom, type NewServerPorts } from './new-server.ts'
import { mountTargets, ownsService, sweepBrought, type TargetRoutes } from './targets.ts'

type BackupRoutes = Omit<BackupPorts, 'stores' | 'enginesKnown' | 'copies' | 'store'> &
  Pick<NewServerPorts, 'allowance'> &
  Omit<ConstructorParameters<typeof ResticEngine>[0], 'backupsOf'> & {
    store: Store
    register: NewServerPorts['register'] & TargetRoutes['register']
    notCopied(serverId: string, target: string): void
  }

const PAGE = 200

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
): { backups: Backups; ready: Promise<void>; resume: () => void; forget: (serverId: string) => void } {
  const restic = new ResticEngine({ ...routes, backupsOf: (serverId) => routes.folders.backupsOf(serverId) })
  // Only then it is asked for what was left unfinished.
  const ready = routes.store.backups.usesRestic() ? restic.lookOnce() : Promise.resolve()
  const ports: BackupPorts = {
    ...routes,
    stores: storesIn(routes.folders, restic),
    enginesKnown: ready,
    copies: {
      wanted: (serverId) => void copies.begin(serverId),
      unwanted: (serverId, backupId) => routes.store.backupTargets.unwant(serverId, backupId),
    },
  }
  const { runtime, changes } = ports
  const backups = new Backups(ports)
  const { targets, copies } = mountCopies(app, routes, restic, backups)
  const viewOf = viewsOf(backups, targets, runtime)
  const view = (serverId: string, id: string) => viewOf(serverId)(backups.find(serverId, id))
  const all = (serverId: string): BackupView[] =>
    backups
      .all(serverId)
      .map(viewOf(serverId))
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
    if (body.start && server.container !== null) throw refusal(409, 'adopted.trial')
    backups.beginTrial(server.id, body.backup, body.start ?? false)
    return { accepted: true }
  })

  serve(app, operations.cancel, ({ server }) => backups.works.cancel(server.id))

  mountSettings(app, backups, { ...ports, accounts: routes.store, targets }, restic)

  serve(app, operations.change, ({ server, params, body }) => {
    backups.change(server.id, params.backupId, withoutUnset(body))
    return view(server.id, params.backupId)
  })

  serve(app, operations.remove, ({ server, params }) => backups.remove(server.id, params.backupId))
  return { backups, ready, resume: () => copies.resume(), forget: (serverId) => restic.forget(serverId) }
}

const viewsOf =
  (backups: Backups, targets: Targets, runtime: BackupPorts['runtime']) => (serverId: string) => {
    const copies = targets.copiesOf(serverId)
    return (row: BackupRow) => backupView(row, runtime, backups.works, copies)
  }

function mountCopies(app: ServiceApp, routes: BackupRoutes, engine: ResticEngine, backups: Backups) {
  const { store, dataDir, clock, runtime, log } = routes
  const targets = new Targets({ store, engine, clock, folder: path.join(dataDir, 'restic', 'targets') })
  const { works } = backups
  const tell = (serverId: string) => backups.tell(serverId)
  const failed = (serverId: string, target: string) => routes.notCopied(serverId, target)
  const copies = new TargetCopies({ store, targets, engine, works, runtime, clock, log, tell, failed })
  const temporary = path.join(dataDir, 'restic', 'brought')
  void sweepBrought(temporary).catch((error: unknown) => log.warn({ err: error }, 'leftovers stay'))
  mountTargets(app, { ...routes, targets, copies, temporary })
  return { targets, copies }
}

type SettingsPorts = BackupPorts & { targets: Targets; accounts: Parameters<typeof ownsService>[0] }

function mountSettings(app: ServiceApp, backups: Backups, ports: SettingsPorts, restic: ResticEngine): void {
  const settings = async (serverId: string, caller: Caller) => {
    await restic.lookOnce()
    return {
      ...(await settingsOf(backups, ports, serverId)),
      resticReady: restic.isOffered,
      targets: ownsService(ports.accounts, caller) ? targetsOf(backups, ports.targets, serverId) : null,
    }
  }
  serve(app, operations.readSettings, ({ server, caller }) => settings(server.id, caller))

  serve(app, operations.changeSettings, async ({ server, caller, body, signal, checkAgain }) => {
    if (body.targets) {
      if (!ownsService(ports.accounts, caller)) throw refusal(403, 'backups.targets-owner').at('targets')
      for (const id of body.targets) ports.targets.find(id)
    }
    if (body.engine === 'restic') {
      await restic.require(signal)
      checkAgain()
    }
    backups.changeSettings(server.id, withoutUnset(body))
    return settings(server.id, caller)
  })
}

function targetsOf(backups: Backups, targets: Targets, serverId: string) {
  const chosen = new Set(backups.settings(serverId).targets)
  return targets.all().map(({ id, name }) => ({ id, name, isOn: chosen.has(id) }))
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
