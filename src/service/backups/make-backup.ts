import { diskFullRefusal } from '../base/computer-limits.ts'
import { refusal } from '../../host/refusal.ts'
import { measureCopy, roomForCopy } from '../changes/make-copy.ts'
import { removeTree } from '../files/safe-fs/remove-tree.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { BackedUpSoftware, BackupRow } from '../store/backups.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import type { BackupSource, BackupStore } from './backup-store.ts'
import { whilePaused } from './pause-saving.ts'
import type { BackupPorts } from './ports.ts'
import { serverSource } from './source.ts'
import type { WorkPorts } from './works.ts'

const NAMED_MOST = 100
const NAME_CHARS = 300

type BackupResult = Pick<
  BackupRow,
  'bytes' | 'addedBytes' | 'files' | 'missing' | 'missingCount' | 'unpaused' | 'software'
>

type Ports = Pick<BackupPorts, 'store' | 'runtime' | 'files' | 'records' | 'changes' | 'pauseLimits'>

/** Throws 507 `backups.no-room`, and what the store does; then nothing is left of it. */
export async function makeBackup(
  ports: Ports,
  { id, serverId, engine }: Pick<BackupRow, 'id' | 'serverId' | 'engine'>,
  store: BackupStore,
  { signal, progress }: WorkPorts,
): Promise<BackupResult> {
  const { runtime } = ports
  const files = ports.files.of(serverId)
  const server = runtime.find(serverId)
  // Within other work nothing runs either.
  const isQuiet = () => server.isDown || server.status().status === 'installing'
  const wasQuiet = isQuiet()
  const software = softwareOf(ports, serverId)
  progress(0, null)
  const needed = await measured(files, isMostlyThere(ports, serverId, engine))
  // Checks disk space only: backups don't count towards the user's storage.
  using reservation = await files.space.reserve(needed.room, needed.room)
  const staging = files.newTemp()
  const source = serverSource(files, {
    about: aboutOf(ports, serverId, software),
    level: (await readWorldSettings(files)).level,
    exclude: ports.store.backups.settings(serverId).exclude,
    withSoftware: isOwnSoftware(ports, software),
    staging,
  })
  let last = 0
  const storePorts = {
    signal,
    progress(done: number) {
      reservation.wrote(done - last)
      progress((last = done), needed.bytes)
    },
  }
  try {
    const { saved, pause } = await whilePaused(
      runtime,
      serverId,
      signal,
      async (pause) => ({ pause, saved: await store.save(id, source, storePorts) }),
      ports.pauseLimits,
    )
    const all = [...source.missing, ...saved.missing]
    return {
      ...{ bytes: saved.bytes, addedBytes: saved.addedBytes, files: saved.files, software },
      missing: all
        .slice(0, NAMED_MOST)
        .map(({ path, reason }) => ({ name: path.slice(0, NAME_CHARS).toWellFormed(), reason })),
      missingCount: all.length,
      // Whatever ran meanwhile may have written.
      unpaused: pause !== 'paused' && !(wasQuiet && isQuiet()),
    }
  } catch (error) {
    signal.throwIfAborted()
    throw diskFullRefusal(error) ?? error
  } finally {
    await removeTree(staging)
  }
}

function aboutOf(
  { store }: Pick<Ports, 'store'>,
  serverId: string,
  software: BackedUpSoftware | null,
): BackupSource['about'] {
  const row = store.servers.byId(serverId)
  if (!row || !software) return null
  const { id, name, memoryMb, licenseAcceptedBy } = row
  return { server: { id, name, memoryMb, acceptsLicense: licenseAcceptedBy !== null }, software }
}

/** What changed since is stored, and how much that is shows only while it is. */
const isMostlyThere = ({ store }: Ports, serverId: string, engine: BackupRow['engine']): boolean =>
  engine === 'restic' &&
  store.backups.of(serverId).some((one) => one.engine === engine && one.state === 'done')

/** Throws 507 `backups.no-room`. */
async function measured(
  files: ServerFiles,
  isMostlyThere: boolean,
): Promise<{ bytes: number; room: number }> {
  const { bytes } = await measureCopy(files)
  if (isMostlyThere) return { bytes, room: 0 }
  const free = await roomForCopy(files)
  if (bytes > free) throw refusal(507, 'backups.no-room', { needed: bytes, free })
  return { bytes, room: bytes }
}

export function softwareOf(
  { store, records, changes }: Pick<Ports, 'store' | 'records' | 'changes'>,
  serverId: string,
): BackedUpSoftware | null {
  const row = store.servers.byId(serverId)
  if (!row) return null
  const there = records.read(serverId)
  const isOf = there?.software === row.softwareId && there.version === row.softwareVersion && !there.staged
  const pack = changes.packOf(serverId)?.id ?? null
  return { id: row.softwareId, version: row.softwareVersion, installed: isOf ? there : null, pack }
}

/** Nothing fetches it again: its libraries are people's own. */
function isOwnSoftware({ runtime }: Pick<Ports, 'runtime'>, software: BackedUpSoftware | null): boolean {
  const kind = software && runtime.software(software.id)
  return !kind?.installation || kind.isBrought === true
}
